// Every outcome a test can have on its own account, on the built-in org.junit.
package outcomes;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNotNull;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertSame;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;
import static org.junit.Assert.fail;
import static org.junit.Assume.assumeNotNull;
import static org.junit.Assume.assumeTrue;

import java.io.IOException;
import org.junit.Ignore;
import org.junit.Test;

public class OutcomesTest {
    @Test
    public void passes() { //~ passed
        assertEquals(4, 2 + 2);
        assertEquals(0.1, 0.1000001, 1e-3);
        assertArrayEquals(new int[] {1, 2}, new int[] {1, 2});
        assertNull(null);
        assertNotNull("");
        assertSame("a", "a");
    }

    @Test
    public void numbersDiffer() { //~ failed expected:<1> but was:<2>
        assertEquals(1, 2);
    }

    @Test
    public void stringsDiffer() { //~ failed expected:<[a]bc> but was:<[x]bc>
        assertEquals("abc", "xbc");
    }

    @Test
    public void withMessage() { //~ failed the sum expected:<3> but was:<4>
        assertEquals("the sum", 3, 4);
    }

    @Test
    public void notTrue() { //~ failed it is false
        assertTrue("it is false", false);
    }

    @Test
    public void failsByCall() { //~ failed on purpose
        fail("on purpose");
    }

    @Test
    public void failsWithoutMessage() { //~ failed
        fail();
    }

    @Test
    public void arraysDiffer() { //~ failed arrays first differed at element [1]; expected:<2> but was:<3>
        assertArrayEquals(new int[] {1, 2}, new int[] {1, 3});
    }

    @Test
    public void assertStatement() { //~ failed javac's own
        assert 1 > 2 : "javac's own";
    }

    @Test
    public void throwsUnchecked() { //~ error java.lang.IllegalStateException
        throw new IllegalStateException("broken");
    }

    @Test
    public void throwsChecked() throws Exception { //~ error java.io.IOException
        throw new IOException("disk");
    }

    @Test
    public void throwsError() { //~ error java.lang.LinkageError
        throw new LinkageError("not an assertion");
    }

    @Test
    public void nullPointer() { //~ error Cannot invoke "String.length()"
        String text = System.getProperty("no such property");
        text.length();
    }

    @Test
    public void catchesByAssertThrows() { //~ passed
        IOException e = assertThrows(IOException.class, this::throwsIo);
        assertEquals("io", e.getMessage());
    }

    private void throwsIo() throws IOException {
        throw new IOException("io");
    }

    @Test(expected = IOException.class)
    public void expectedComes() throws Exception { //~ passed
        throw new IOException("wanted");
    }

    @Test(expected = IOException.class)
    public void expectedDoesNotCome() { //~ failed Expected exception: java.io.IOException
    }

    @Test(expected = IOException.class)
    public void anotherComes() { //~ error Unexpected exception, expected<java.io.IOException> but was<java.lang.IllegalStateException>
        throw new IllegalStateException("unwanted");
    }

    @Test(timeout = 60_000)
    public void inTime() { //~ passed
    }

    @Test(timeout = 50)
    public void sleepsPastItsTimeout() throws Exception { //~ error test timed out after 50 milliseconds
        Thread.sleep(60_000);
    }

    @Test
    @Ignore("not today")
    public void ignored() { //~ skipped not today
        fail("ignored tests do not run");
    }

    @Test
    @Ignore
    public void ignoredWithoutReason() { //~ skipped
        fail("ignored tests do not run");
    }

    @Test
    public void assumptionFails() { //~ skipped no printer
        assumeTrue("no printer", false);
        fail("not reached");
    }

    @Test
    public void assumptionOnNull() { //~ skipped
        assumeNotNull((Object) null);
    }

    @Test
    public void assumptionHolds() { //~ passed
        assumeTrue(true);
    }
}
