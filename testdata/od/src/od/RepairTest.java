package od;

import static org.junit.Assert.assertEquals;

import org.junit.Test;

/** A cleaner that changes nothing unless it finds something to repair. */
public class RepairTest {
    //~ independent
    @Test
    public void checksAndRepairs() {
        if (!Wall.colour.equals("white")) {
            Wall.colour = "white";
        }
    }

    //~ victim
    //~ polluter od.PaintingTest#paints state od.Wall.colour cleaners od.RepairTest#checksAndRepairs
    @Test
    public void expectsWhite() {
        assertEquals("white", Wall.colour);
    }

    //~ victim
    //~ polluter od.PaintingTest#paints state od.Wall.colour cleaners od.RepairTest#checksAndRepairs
    @Test
    public void alsoExpectsWhite() {
        assertEquals("white", Wall.colour);
    }
}
