package nio;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.fail;

import org.junit.Ignore;
import org.junit.Test;

/** Tests that fail or do not run at all the first time. */
public class AloneTest {
    static int set;

    //~ idempotent
    @Test
    public void sets() {
        set = 1;
    }

    //~ fails-alone brittle
    @Test
    public void needsIt() {
        assertEquals(1, set);
    }

    //~ fails-alone broken
    @Test
    public void alwaysFails() {
        fail("always");
    }

    //~ skipped
    @Ignore
    @Test
    public void ignored() {
    }

    //~ fails-alone broken
    @Test
    public void ends() {
        System.exit(3);
    }
}
