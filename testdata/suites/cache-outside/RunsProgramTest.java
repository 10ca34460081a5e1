import static org.junit.Assert.assertEquals;

import org.junit.Test;

/** Nobody knows what the program reads. */
public class RunsProgramTest {
    @Test
    public void runs() throws Exception { //~ passed
        assertEquals(0, new ProcessBuilder("true").start().waitFor());
    }
}
