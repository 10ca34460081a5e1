package bad;

import org.junit.Test;

/** What poldet will not do ends the test with a verdict of its own, past every handler. */
public class RefusedTest {
    @Test
    public void a_before() { //~ passed
    }

    @Test
    @SuppressWarnings("removal")
    public void b_suspendsAThread() { //~ unsupported Thread.stop, suspend and resume
        try {
            Thread.currentThread().suspend();
        } catch (Throwable t) {
            throw new AssertionError("nothing is thrown that could be caught", t);
        }
    }

    @Test
    public void c_after() { //~ passed
    }
}
