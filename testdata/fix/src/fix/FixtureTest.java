package fix;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import fix.app.Registry;
import org.junit.Before;
import org.junit.Test;

/** The victim fails in a fixture, before its own first statement. */
//~ checksTheSetting victim victim synthesised @Before | Registry.clear();
//~ checksTheSetting victim polluter synthesised | Registry.clear();
public class FixtureTest {
    private String found;

    @Before
    public void setUp() {
        found = Registry.find("fixture");
        if (found != null && !Boolean.getBoolean("fixture.lenient")) {
            throw new IllegalStateException("registered: " + found);
        }
    }

    @Test
    public void registers() {
        Registry.register("fixture", "on");
        assertEquals("on", Registry.find("fixture"));
    }

    @Test
    public void checksTheSetting() {
        assertTrue(found == null);
    }
}
