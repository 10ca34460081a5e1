package bad;

import org.junit.Test;

public class WellTest {
    @Test
    public void stillRuns() {} //~ passed
}
