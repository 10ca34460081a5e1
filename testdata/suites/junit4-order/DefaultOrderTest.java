package order;

import static org.junit.Assert.assertEquals;

import org.junit.AfterClass;
import org.junit.Test;

/** JUnit's default order follows the hash of the name, which is the same everywhere. */
public class DefaultOrderTest {
    private static String seen = "";

    @Test
    public void alpha() { //~ passed
        seen += "alpha ";
    }

    @Test
    public void beta() { //~ passed
        seen += "beta ";
    }

    @Test
    public void gamma() { //~ passed
        seen += "gamma ";
    }

    @AfterClass
    public static void asExpected() {
        assertEquals("beta alpha gamma ", seen);
    }
}
