package od;

import org.junit.Test;

/** Changes what fixtures of other classes look at. */
public class ClosingTest {
    //~ independent
    @Test
    public void endsTheShift() {
        Shift.over = true;
    }
}
