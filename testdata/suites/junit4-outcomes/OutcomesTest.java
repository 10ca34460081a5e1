package outcomes4;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.fail;
import static org.junit.Assume.assumeNoException;
import static org.junit.Assume.assumeThat;
import static org.junit.Assume.assumeTrue;

import java.util.concurrent.atomic.AtomicReference;
import org.hamcrest.CoreMatchers;
import org.junit.Ignore;
import org.junit.Test;
import org.junit.rules.Timeout;

public class OutcomesTest {
    @Test
    public void passes() { //~ passed
    }

    @Test
    public void fails() { //~ failed expected:<a[b]c> but was:<a[x]c>
        assertEquals("abc", "axc");
    }

    @Test
    public void arrays() { //~ failed arrays first differed at element [1]; expected:<2> but was:<3>
        assertArrayEquals(new int[] {1, 2}, new int[] {1, 3});
    }

    @Test
    public void errs() { //~ error why
        throw new IllegalStateException("why");
    }

    @Test(expected = IllegalStateException.class)
    public void expects() { //~ passed
        throw new IllegalStateException();
    }

    @Test(expected = RuntimeException.class)
    public void expectsABase() { //~ passed
        throw new IllegalStateException();
    }

    @Test(expected = IllegalStateException.class)
    public void expectsInVain() { //~ failed Expected exception: java.lang.IllegalStateException
    }

    @Test(expected = IllegalStateException.class)
    public void expectsAnother() { //~ error Unexpected exception, expected<java.lang.IllegalStateException> but was<java.lang.ArithmeticException>
        throw new ArithmeticException();
    }

    @Test(timeout = 50)
    public void timesOutAsleep() throws Exception { //~ error test timed out after 50 milliseconds
        Thread.sleep(100_000);
    }

    @Test(timeout = 50)
    public void timesOutBusy() { //~ error test timed out after 50 milliseconds
        while (!Thread.currentThread().isInterrupted()) {
            Thread.onSpinWait();
        }
    }

    @Test(timeout = 50_000)
    public void inTimeOnAThreadOfItsOwn() { //~ passed
        assertEquals("Time-limited test", Thread.currentThread().getName());
    }

    @Test
    public void assumes() { //~ skipped got: <false>, expected: is <true>
        assumeTrue(false);
    }

    @Test
    public void assumesWithReason() { //~ skipped not here
        assumeTrue("not here", false);
    }

    @Test
    public void assumesAMatch() { //~ skipped got: <1>, expected: is <2>
        assumeThat(1, CoreMatchers.is(2));
    }

    @Test
    public void assumesNoException() { //~ skipped got: <java.io.IOException: gone>, expected: null
        assumeNoException(new java.io.IOException("gone"));
    }

    @Test
    @Ignore("not today")
    public void ignored() { //~ skipped not today
        fail("ignored");
    }

    @Test
    @Ignore
    public void ignoredWithoutReason() { //~ skipped
        fail("ignored");
    }

    @Test
    public void catches() { //~ passed
        assertEquals("no", assertThrows(IllegalStateException.class, () -> raise("no")).getMessage());
    }

    private static void raise(String message) {
        throw new IllegalStateException(message);
    }

    @Test
    public void otherThreadsFailForThemselves() throws Exception { //~ passed
        AtomicReference<Throwable> seen = new AtomicReference<>();
        Thread thread = new Thread(() -> fail("over there"));
        thread.setUncaughtExceptionHandler((t, e) -> seen.set(e));
        thread.start();
        thread.join();
        assertEquals("over there", seen.get().getMessage());
    }

    @Test
    public void failsByTheKeyword() { //~ failed assertions are on
        assert Timeout.class == null : "assertions are on";
    }
}
