package lifecycle;

import org.junit.Before;
import org.junit.Test;

public class BeforeFailsTest {
    @Before
    public void before() {
        throw new IllegalStateException("no ground to stand on");
    }

    @Test
    public void one() { //~ error no ground to stand on
    }

    @Test
    public void two() { //~ error no ground to stand on
    }
}
