package trial;

import static org.junit.Assert.assertEquals;

import java.lang.reflect.Field;
import java.util.List;
import org.junit.Test;

/** Tests that fail alike, for one cause. */
public class VictimTest {
    private static void expectNoNames() {
        assertEquals(List.of(), Registry.NAMES);
    }

    @Test
    public void one() {
        expectNoNames();
    }

    @Test
    public void two() {
        expectNoNames();
    }

    @Test
    public void three() {
        expectNoNames();
    }

    @Test
    public void looksInside() throws Exception {
        Field field = java.util.ArrayList.class.getDeclaredField("size");
        field.setAccessible(true);
    }
}
