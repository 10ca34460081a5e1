package bad;

import org.junit.BeforeClass;
import org.junit.Test;

/** The class's own fixture ends the JVM: that is the class's error, and its tests cannot run. */
public class FixtureExitTest { //~ error System.exit(6)
    @BeforeClass
    public static void exits() {
        System.exit(6);
    }

    @Test
    public void one() {}
}
