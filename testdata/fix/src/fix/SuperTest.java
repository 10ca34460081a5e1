package fix;

import static org.junit.Assert.assertEquals;

import org.junit.After;
import org.junit.Test;

/** The helper's state is put back by a fixture of the class above it; the class of the victim has a fixture of its own. */
//~ expectsNoOwner victim polluter helper | owner = null;
public class SuperTest extends SuperBase {
    private int runs;

    @After
    public void counts() {
        runs++;
    }

    @Test
    public void expectsNoOwner() {
        assertEquals(null, owner);
    }

    @Test
    public void takesOver() {
        owner = "super";
        assertEquals(0, runs);
    }
}
