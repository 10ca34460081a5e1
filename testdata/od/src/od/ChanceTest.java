package od;

import static org.junit.Assert.assertTrue;

import java.util.Random;
import org.junit.Test;

/** What depends on the seed depends on no order. */
public class ChanceTest {
    //~ nod
    @Test
    public void tossesACoin() {
        assertTrue(new Random().nextBoolean());
    }

    //~ nod
    @Test
    public void looksAtAnIdentityHash() {
        assertTrue(System.identityHashCode(new Object()) % 2 == 0);
    }
}
