package od;

import static org.junit.Assert.assertEquals;

import org.junit.Test;

/** A polluter, its victims and its cleaner in one class (figure 1 of iFixFlakies). */
public class ModeTest {
    //~ independent
    @Test
    public void switchesMode() {
        Config.mode = "fast";
    }

    //~ victim
    //~ polluter od.ModeTest#switchesMode state od.Config.mode cleaners od.ModeTest#resetsMode od.ModeTest#restoresMode
    @Test
    public void expectsDefaultMode() {
        assertEquals("default", Config.mode);
    }

    //~ independent
    @Test
    public void resetsMode() {
        Config.mode = "default";
    }

    /** Looks like a polluter and leaves nothing behind, but what it finds it sets to the default. */
    //~ independent
    @Test
    public void restoresMode() {
        Config.mode = "slow";
        Config.mode = "default";
    }

    //~ independent
    @Test
    public void hasNothingToDoWithIt() {
        assertEquals(4, 2 + 2);
    }
}
