package fix;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNull;

import fix.app.Counter;
import fix.app.Registry;
import fix.app.Settings;
import org.junit.Test;

/** No test cleans: methods of the code under test do. */
//~ expectsNoEntry victim polluter synthesised | Registry.clear();
//~ expectsNoEntry victim victim synthesised | Registry.clear();
//~ expectsLevelThree victim polluter synthesised | Settings.setLevel(3);
//~ expectsZero victim polluter synthesised | Counter.getInstance().reset();
//~ expectsUnlocked - | no
public class ResetTest {
    @Test
    public void registersAnEntry() {
        Registry.register("reset", "set");
    }

    @Test
    public void expectsNoEntry() {
        assertNull(Registry.find("reset"));
    }

    @Test
    public void raisesTheLevel() {
        Settings.setLevel(9);
        assertEquals(9, Settings.getLevel());
    }

    @Test
    public void expectsLevelThree() {
        assertEquals(3, Settings.getLevel());
    }

    @Test
    public void counts() {
        Counter.getInstance().increment();
    }

    @Test
    public void expectsZero() {
        assertEquals(0, Counter.getInstance().get());
    }

    @Test
    public void locks() {
        Settings.lock();
    }

    @Test
    public void expectsUnlocked() {
        assertFalse(Settings.isLocked());
    }
}
