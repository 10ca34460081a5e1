package trial;

import org.junit.Test;

/** Runs before the others. */
public class AdderTest {
    @Test
    public void addsAndSwitches() {
        Registry.debug = true;
        Registry.NAMES.add("left");
    }
}
