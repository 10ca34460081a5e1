package alone;

import junit.framework.TestCase;

public class PlainTest extends TestCase {
    public void testPasses() { //~ passed
    }

    public void testFails() { //~ failed expected:<1> but was:<2>
        assertEquals(1, 2);
    }

    public void testErrs() { //~ error why
        throw new IllegalStateException("why");
    }
}
