package bad;

import org.junit.Test;

/** What poldet will not do ends the test with a verdict of its own, past every handler. */
public class ProcessTest {
    @Test
    public void a_before() { //~ passed
    }

    @Test
    public void b_startsAProcess() throws Exception { //~ unsupported java.lang.ProcessImpl.forkAndExec
        try {
            new ProcessBuilder("true").start().waitFor();
        } catch (Throwable t) {
            throw new AssertionError("nothing is thrown that could be caught", t);
        }
    }

    @Test
    public void c_after() { //~ passed
    }
}
