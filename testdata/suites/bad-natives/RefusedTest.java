package bad;

import java.awt.image.BufferedImage;
import java.awt.image.ConvolveOp;
import java.awt.image.Kernel;

import org.junit.Test;

/** What poldet will not do ends the test with a verdict of its own, past every handler. */
public class RefusedTest {
    @Test
    public void a_before() { //~ passed
    }

    @Test
    public void b_filtersAnImage() { //~ unsupported native method boolean sun.awt.image.ImagingLib.init()
        try {
            Kernel same = new Kernel(1, 1, new float[] {1});
            new ConvolveOp(same).filter(new BufferedImage(1, 1, BufferedImage.TYPE_INT_RGB), null);
        } catch (Throwable t) {
            throw new AssertionError("nothing is thrown that could be caught", t);
        }
    }

    @Test
    public void c_after() { //~ passed
    }
}
