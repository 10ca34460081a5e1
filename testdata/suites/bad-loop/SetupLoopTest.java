package bad;

import org.junit.BeforeClass;
import org.junit.Test;

public class SetupLoopTest { //~ timed_out
    static volatile boolean stop;

    @BeforeClass
    public static void never() {
        while (!stop) {}
    }

    @Test
    public void one() {}
}
