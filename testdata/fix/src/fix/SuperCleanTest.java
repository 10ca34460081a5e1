package fix;

import static org.junit.Assert.assertTrue;

import org.junit.After;
import org.junit.Test;

/** Cleans in its tear-down. */
public class SuperCleanTest extends SuperBase {
    @After
    public void releases() {
        owner = null;
    }

    @Test
    public void runs() {
        assertTrue(owner == null || owner.length() > 0);
    }
}
