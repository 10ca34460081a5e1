package bad;

import org.junit.FixMethodOrder;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.MethodSorters;
import org.junit.runners.Suite;
import org.junit.runners.Suite.SuiteClasses;

@RunWith(Suite.class)
@SuiteClasses({SuiteExitTest.First.class, SuiteExitTest.Second.class})
public class SuiteExitTest {
    @FixMethodOrder(MethodSorters.NAME_ASCENDING)
    public static class First {
        @Test
        public void a_before() { //~ passed
        }

        @Test
        public void b_exits() { //~ error System.exit(1)
            System.exit(1);
        }

        @Test
        public void c_after() { //~ passed
        }
    }

    public static class Second {
        @Test
        public void stillRuns() { //~ passed
        }
    }
}
