package lifecycle;

import org.junit.After;
import org.junit.Before;
import org.junit.BeforeClass;

public abstract class LifecycleBase {
    static String log = "";

    static void log(String what) {
        log += what + " ";
    }

    @BeforeClass
    public static void baseBeforeAll() {
        log("baseBeforeAll");
    }

    @Before
    public void baseBefore() {
        log("baseBefore");
    }

    @After
    public void baseAfter() {
        log("baseAfter");
    }
}
