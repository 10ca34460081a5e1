package od;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNull;

import org.junit.Test;

/** Tests on which fixtures of other classes have an effect. */
public class ShiftTest {
    //~ independent
    @Test
    public void startsWork() {
        Shift.worker = "somebody";
    }

    //~ victim
    //~ polluter od.ShiftTest#startsWork state od.Shift.worker cleaners od.EndingTest#looksOn
    @Test
    public void expectsNobody() {
        assertNull(Shift.worker);
    }

    //~ brittle
    //~ setter od.ClosingTest#endsTheShift+od.EndingTest#looksOn state od.Shift.report
    @Test
    public void expectsTheReport() {
        assertEquals("done", Shift.report);
    }

    //~ brittle
    //~ setter od.ClosingTest#endsTheShift+od.BeginningTest#looksOn state od.Shift.log
    @Test
    public void expectsTheLog() {
        assertEquals("next", Shift.log);
    }
}
