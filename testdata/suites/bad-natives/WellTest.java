package bad;

import org.junit.Test;

/** Must run whatever the others did. */
public class WellTest {
    @Test
    public void stillRuns() { //~ passed
    }
}
