package three;

import junit.framework.TestCase;

/** JUnit 3 warns of a class without tests by a failing test. */
public class NoTestsTest extends TestCase {
    //~ junit.framework.TestSuite$1#warning failed No tests found in three.NoTestsTest

    public void nothing() {}
}
