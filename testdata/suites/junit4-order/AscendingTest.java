package order;

import static org.junit.Assert.assertEquals;

import org.junit.FixMethodOrder;
import org.junit.Test;
import org.junit.runners.MethodSorters;

@FixMethodOrder(MethodSorters.NAME_ASCENDING)
public class AscendingTest {
    private static int step;

    @Test
    public void c() { //~ passed
        assertEquals(3, ++step);
    }

    @Test
    public void a() { //~ passed
        assertEquals(1, ++step);
    }

    @Test
    public void b() { //~ passed
        assertEquals(2, ++step);
    }
}
