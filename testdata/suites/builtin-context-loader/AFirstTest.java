package left;

import static org.junit.Assert.assertSame;

import org.junit.Test;

/** Leaves the thread without a context class loader: the classes that follow are loaded nevertheless. */
public class AFirstTest {
    @Test
    public void hasOne() { //~ passed
        assertSame(AFirstTest.class.getClassLoader(), Thread.currentThread().getContextClassLoader());
        Thread.currentThread().setContextClassLoader(null);
    }
}
