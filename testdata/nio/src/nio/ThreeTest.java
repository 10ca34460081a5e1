package nio;

import junit.framework.TestCase;

/** JUnit 3: each run has an instance of its own. */
public class ThreeTest extends TestCase {
    private static int shared;
    private int own;

    //~ nio nio.ThreeTest.shared
    public void testShared() {
        assertEquals(1, ++shared);
    }

    //~ idempotent
    public void testOwn() {
        assertEquals(1, ++own);
    }
}
