package od;

import org.junit.Test;

/** A polluter of another class's tests. */
public class PaintingTest {
    //~ independent
    @Test
    public void paints() {
        Wall.colour = "red";
    }
}
