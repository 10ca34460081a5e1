package bad;

import static org.junit.Assert.fail;

import org.junit.Test;

/** A program that a test starts has nothing through which it could speak for the worker. */
public class ForgedTest {
    private static final String FORGER = "for to in /dev/fd/1 /dev/fd/2 /proc/$PPID/fd/0 /proc/$PPID/fd/1 /proc/$PPID/fd/2; do "
            + "{ echo '{\"event\":\"done\"}' >> $to; } 2>/dev/null; done";

    @Test
    public void a_forges() throws Exception { //~ error Runtime.halt(1)
        new ProcessBuilder("sh", "-c", FORGER).inheritIO().start().waitFor();
        Runtime.getRuntime().halt(1);
    }

    @Test
    public void b_stillRuns() { //~ passed
    }

    @Test
    public void c_stillFails() { //~ failed not forged
        fail("not forged");
    }
}
