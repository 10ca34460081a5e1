package mixed;

import junit.framework.TestCase;

public class ThreeTest extends TestCase {
    public void testThree() { //~ passed
    }
}
