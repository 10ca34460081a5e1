// The order of fixture methods, of superclass and subclass, and one instance per test.
package lifecycle;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import org.junit.After;
import org.junit.AfterClass;
import org.junit.Before;
import org.junit.BeforeClass;
import org.junit.Test;

public class LifecycleTest extends LifecycleBase {
    private static int instances;
    private static int finished;
    private int mine;

    public LifecycleTest() {
        instances++;
    }

    @BeforeClass
    public static void beforeAll() {
        log("beforeAll");
    }

    @Before
    public void before() {
        log("before");
    }

    @After
    public void after() {
        log("after");
        finished++;
    }

    @AfterClass
    public static void afterAll() {
        assertEquals(2, instances);
        assertEquals(2, finished);
    }

    @Test
    public void first() { //~ passed
        check();
    }

    @Test
    public void second() { //~ passed
        check();
    }

    private void check() {
        mine++;
        assertEquals(1, mine);
        assertTrue(log, log.startsWith("baseBeforeAll beforeAll "));
        String once = "baseBefore before ";
        String between = finished == 0 ? "" : once + "after baseAfter ";
        assertEquals("baseBeforeAll beforeAll " + between + once, log);
    }
}
