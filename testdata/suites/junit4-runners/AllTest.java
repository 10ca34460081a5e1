package runners;

import org.junit.Assert;
import org.junit.BeforeClass;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.Suite;
import org.junit.runners.Suite.SuiteClasses;

@RunWith(Suite.class)
@SuiteClasses({AllTest.First.class, AllTest.Second.class})
public class AllTest {
    static boolean up;

    @BeforeClass
    public static void up() {
        up = true;
    }

    public static class First {
        @Test
        public void one() { //~ passed
            Assert.assertTrue(up);
        }
    }

    public static class Second {
        @Test
        public void two() { //~ failed two
            Assert.fail("two");
        }
    }
}
