package fix;

import static org.junit.Assert.assertEquals;

import fix.app.Settings;
import org.junit.Test;

/** What the cleaner in another class does needs an instance of it: its statements become a method there. */
//~ expectsTheUsual victim victim helper | new InstanceTest().resetSharedState();
public class CallTest {
    @Test
    public void changesTheName() {
        Settings.setName("odd");
    }

    @Test
    public void expectsTheUsual() {
        assertEquals("usual", Settings.name());
    }
}
