package trial;

import static org.junit.Assert.assertTrue;

import org.junit.After;
import org.junit.Test;

/** Its fixture repairs what PolluterTest of an earlier name leaves behind. */
public class CleanerTest {
    @After
    public void reset() {
        Registry.debug = false;
    }

    @Test
    public void startsAnywhere() {
        assertTrue(Registry.NAMES.size() >= 0);
    }
}
