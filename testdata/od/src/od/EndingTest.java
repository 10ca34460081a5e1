package od;

import static org.junit.Assert.assertNotNull;

import org.junit.AfterClass;
import org.junit.Test;

/** What runs when the class has come to its end depends on the state, and changes it. */
public class EndingTest {
    @AfterClass
    public static void ends() {
        Shift.worker = null;
        if (Shift.over) {
            Shift.report = "done";
        }
    }

    //~ independent
    @Test
    public void looksOn() {
        assertNotNull(Shift.NAME);
    }
}
