package bad;

import org.junit.Test;

public class HaltTest {
    @Test
    public void a_before() { //~ passed
    }

    @Test
    public void b_halts() { //~ error Runtime.halt(9)
        Runtime.getRuntime().halt(9);
    }

    @Test
    public void c_after() { //~ passed
    }
}
