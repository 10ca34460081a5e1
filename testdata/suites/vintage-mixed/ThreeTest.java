package mixed;

import junit.framework.TestCase;

public class ThreeTest extends TestCase {
    public void testPasses() { //~ passed
    }

    public void testErrs() { //~ error java.lang.IllegalStateException
        throw new IllegalStateException("three");
    }
}
