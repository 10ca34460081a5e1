// A suite whose class an agent has changed.
import static org.junit.Assert.assertEquals;

import helper.Helper;
import org.junit.Test;

public class AgentTest {
    @Test
    public void woven() {
        assertEquals("woven", Target.say());
        assertEquals("[first x=y, second null]", Helper.told.toString());
    }
}
