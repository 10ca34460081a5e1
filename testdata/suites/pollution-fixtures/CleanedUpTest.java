// A test whose @After puts everything back is clean.
package fixtures;

import static org.junit.Assert.assertEquals;

import org.junit.After;
import org.junit.Before;
import org.junit.BeforeClass;
import org.junit.Test;

public class CleanedUpTest {
    static final StringBuilder registered = new StringBuilder("x");
    static int depth;
    private static String property;

    @BeforeClass
    public static void load() {
        assertEquals(0, depth);
    }

    @Before
    public void open() {
        depth++;
        registered.setLength(0);
    }

    @After
    public void close() {
        depth--;
        registered.setLength(0);
        registered.append('x');
        System.clearProperty("fixtures.cleaned");
    }

    @Test
    public void dirtiesAndIsCleaned() { //~ passed
        //~ CLEAN
        registered.append("dirt");
        System.setProperty("fixtures.cleaned", "soon");
        assertEquals(1, depth);
    }

    @Test
    public void failsAndIsCleaned() { //~ failed on purpose
        //~ CLEAN
        registered.append("dirt");
        throw new AssertionError("on purpose");
    }
}
