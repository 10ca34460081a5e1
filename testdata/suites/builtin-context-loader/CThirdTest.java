package left;

import static org.junit.Assert.assertNotSame;

import org.junit.Test;

/** Runs although the context class loader knows no class of the suite. */
public class CThirdTest {
    @Test
    public void hasAnother() { //~ passed
        assertNotSame(CThirdTest.class.getClassLoader(), Thread.currentThread().getContextClassLoader());
    }
}
