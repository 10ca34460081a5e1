package three;

import java.io.IOException;
import junit.framework.TestCase;

public class PlainTest extends TestCase {
    private String ready;

    @Override
    protected void setUp() {
        ready = "ready";
    }

    @Override
    protected void tearDown() {
        assertEquals("ready", ready);
    }

    public void testPasses() { //~ passed
        assertEquals("ready", ready);
    }

    public void testFails() { //~ failed expected:<1> but was:<2>
        assertEquals(1, 2);
    }

    public void testStrings() { //~ failed expected:<a[b]> but was:<a[c]>
        assertEquals("ab", "ac");
    }

    public void testErrs() throws Exception { //~ error java.io.IOException
        throw new IOException("broken");
    }

    public void helper() {
        fail("the name does not begin with test");
    }

    public void testWithArgument(int ignored) {
        fail("tests take no arguments");
    }
}
