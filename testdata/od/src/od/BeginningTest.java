package od;

import static org.junit.Assert.assertNotNull;

import org.junit.BeforeClass;
import org.junit.Test;

/** What runs before the class depends on the state, and changes it. */
public class BeginningTest {
    @BeforeClass
    public static void begins() {
        if (Shift.over) {
            Shift.log = "next";
        }
    }

    //~ independent
    @Test
    public void looksOn() {
        assertNotNull(Shift.NAME);
    }
}
