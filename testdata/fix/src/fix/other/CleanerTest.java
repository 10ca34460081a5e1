package fix.other;

import static org.junit.Assert.assertEquals;

import fix.app.Settings;
import org.junit.Test;

/** A cleaner for tests of another package. */
public class CleanerTest {
    static final String DEFAULT = "def" + "ault";

    @Test
    public void setsTheDefault() {
        Settings.mode = "default";
        assertEquals(DEFAULT, Settings.mode);
    }
}
