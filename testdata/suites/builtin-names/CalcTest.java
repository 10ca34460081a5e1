package names;

import static org.junit.Assert.assertEquals;

import org.junit.Test;

public class CalcTest {
    @Test
    public void adds() { //~ passed
        assertEquals(3, 1 + 2);
    }

    @Test
    public void addsMore() { //~ passed
        assertEquals(6, 1 + 2 + 3);
    }

    @Test
    public void subtracts() { //~ failed expected:<1> but was:<-1>
        assertEquals(1, 1 - 2);
    }
}
