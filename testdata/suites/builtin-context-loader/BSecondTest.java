package left;

import static org.junit.Assert.assertNull;

import org.junit.Test;

/** Runs, and finds what the class before it left. */
public class BSecondTest {
    @Test
    public void hasNone() { //~ passed
        assertNull(Thread.currentThread().getContextClassLoader());
        Thread.currentThread().setContextClassLoader(new ClassLoader(null) {});
    }
}
