package runners;

import org.junit.Ignore;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.Suite;
import org.junit.runners.Suite.SuiteClasses;

@RunWith(Suite.class)
@SuiteClasses({NestedIgnoreTest.Left.class, NestedIgnoreTest.Right.class})
public class NestedIgnoreTest {
    @Ignore("left out")
    public static class Left { //~ skipped left out
        @Test
        public void one() {}
    }

    public static class Right {
        @Test
        public void one() { //~ passed
        }

        @Test
        @Ignore("right out")
        public void two() { //~ skipped right out
        }
    }
}
