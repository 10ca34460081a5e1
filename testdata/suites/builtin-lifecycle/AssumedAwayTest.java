package lifecycle;

import org.junit.Assume;
import org.junit.BeforeClass;
import org.junit.Test;

public class AssumedAwayTest { //~ skipped only on Tuesdays
    @BeforeClass
    public static void beforeAll() {
        Assume.assumeTrue("only on Tuesdays", false);
    }

    @Test
    public void one() {}
}
