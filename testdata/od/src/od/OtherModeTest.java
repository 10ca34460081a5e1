package od;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertTrue;

import org.junit.Test;

/** A victim in another class than its polluter, and a test that fails in every order. */
public class OtherModeTest {
    //~ victim
    //~ polluter od.ModeTest#switchesMode state od.Config.mode cleaners od.ModeTest#resetsMode od.ModeTest#restoresMode
    @Test
    public void expectsDefaultToo() {
        assertEquals("default", Config.mode);
    }

    //~ failing
    @Test
    public void failsAlways() {
        assertTrue(Config.mode == null);
    }

    //~ independent
    @Test
    public void putsAndRemoves() {
        assertNull(Config.SIZES.put("a", 1));
        Config.SIZES.remove("a");
    }
}
