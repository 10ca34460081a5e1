package fix.other;

import static org.junit.Assert.assertEquals;

import fix.app.Settings;
import org.junit.Before;
import org.junit.Test;

/** A cleaner that needs its own instance. */
public class InstanceTest {
    private String usual;

    @Before
    public void setUp() {
        usual = "us";
    }

    @Test
    public void setsTheUsual() {
        usual = usual + "ual";
        Settings.setName(usual);
        assertEquals(5, usual.length());
    }
}
