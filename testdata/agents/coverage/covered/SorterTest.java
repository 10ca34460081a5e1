// Tests for JaCoCo to follow: one of them fails, one is ignored.
package covered;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;

import org.junit.Ignore;
import org.junit.Test;

public class SorterTest {
    @Test
    public void sorts() {
        assertArrayEquals(new int[] {1, 2, 3}, Sorter.sort(new int[] {3, 1, 2}, false));
    }

    @Test
    public void counts() {
        assertEquals(2, Sorter.count(new int[] {1, 2, 4}, n -> n % 2 == 0));
    }

    @Test
    public void fails() {
        assertEquals("one", Sorter.name(1));
        assertEquals("none", Sorter.name(-1));
        assertEquals("never", Sorter.name(0));
    }

    @Test
    @Ignore
    public void ignored() {
        Sorter.sort(new int[0], true);
    }
}
