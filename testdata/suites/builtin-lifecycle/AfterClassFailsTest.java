package lifecycle;

import org.junit.AfterClass;
import org.junit.Test;

public class AfterClassFailsTest { //~ error the class cannot end
    @AfterClass
    public static void afterAll() {
        throw new IllegalStateException("the class cannot end");
    }

    @Test
    public void one() { //~ passed
    }
}
