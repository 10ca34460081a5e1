package three;

import junit.extensions.TestSetup;
import junit.framework.Test;
import junit.framework.TestCase;
import junit.framework.TestSuite;

/** A class with suite() says itself which tests it is made of. */
public class SuiteTest {
    static boolean up;

    public static Test suite() {
        TestSuite suite = new TestSuite("by hand");
        suite.addTest(new Member("testOne"));
        suite.addTest(new Member("testTwo"));
        suite.addTestSuite(Other.class);
        suite.addTest(new TestCase("made on the spot") {
            @Override
            protected void runTest() {
                assertTrue(up);
            }
        });
        //~ three.SuiteTest$1#made on the spot passed
        return new TestSetup(suite) {
            @Override
            protected void setUp() {
                up = true;
            }
        };
    }

    public static class Member extends TestCase {
        public Member(String name) {
            super(name);
        }

        public void testOne() { //~ passed
            assertTrue(up);
        }

        public void testTwo() { //~ failed two
            fail("two");
        }

        public void testNotInTheSuite() {
            fail("run by mistake");
        }
    }

    public static class Other extends TestCase {
        public void testOther() { //~ passed
        }
    }
}
