package fix;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.Test;

/** Tests that pass once. */
//~ countsOnce nio test synthesised | counter.set(0);
//~ addsOnce nio test helper | seen.clear();
public class TwiceTest {
    private static final AtomicInteger counter = new AtomicInteger();
    private static final Set<String> seen = new HashSet<String>();

    @Test
    public void countsOnce() {
        assertEquals(1, counter.incrementAndGet());
    }

    @Test
    public void addsOnce() {
        assertTrue(seen.add("x"));
    }

    @Test
    public void forgets() {
        int before = seen.size();
        seen.clear();
        assertTrue(before >= seen.size());
    }
}
