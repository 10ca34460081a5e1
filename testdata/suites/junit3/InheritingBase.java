package three;

import junit.framework.TestCase;

public abstract class InheritingBase extends TestCase {
    public void testOfBase() {
        assertEquals("testOfBase", getName());
    }
}
