package lifecycle;

import org.junit.BeforeClass;
import org.junit.Test;

public class BeforeClassFailsTest { //~ error the class cannot start
    @BeforeClass
    public static void beforeAll() {
        throw new IllegalStateException("the class cannot start");
    }

    @Test
    public void one() {}

    @Test
    public void two() {}
}
