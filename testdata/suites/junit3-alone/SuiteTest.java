package alone;

import junit.framework.Test;
import junit.framework.TestCase;
import junit.framework.TestSuite;

public class SuiteTest {
    public static Test suite() {
        TestSuite suite = new TestSuite("by hand");
        suite.addTestSuite(Member.class);
        return suite;
    }

    public static class Member extends TestCase {
        public void testOne() { //~ passed
        }
    }
}
