package od;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import org.junit.Test;

/** Who initialises a class matters: tests that pass or fail only because another ran a static initialiser. */
public class InitialisedTest {
    //~ brittle
    //~ setter od.InitialisedTest#usesWidget state any
    @Test
    public void needsTheWidgetKnown() {
        assertTrue(Widget.Names.KNOWN.contains("widget"));
    }

    //~ independent
    @Test
    public void usesWidget() {
        assertEquals(1, Widget.size());
    }

    //~ independent
    @Test
    public void capturesAnotherMode() {
        System.setProperty("od.mode", "captured");
        try {
            assertEquals("captured".length(), Widget.Captured.MODE.length() + ("none".equals(Widget.Captured.MODE) ? 4 : 0));
        } finally {
            System.clearProperty("od.mode");
        }
    }

    //~ victim
    //~ polluter od.InitialisedTest#capturesAnotherMode state any cleaners
    @Test
    public void expectsNoMode() {
        assertEquals("none", Widget.Captured.MODE);
    }
}
