// What the rules hide is counted, and shown when asked for.
package ignored;

import org.junit.BeforeClass;
import org.junit.Test;

public class IgnoredTest {
    @BeforeClass
    public static void load() {
        Held.load();
    }

    @Test
    public void byTheNameOfAField() { //~ passed
        Held.cache.put("k", "v"); //~ POLLUTES added ignored.Held.cache["k"]: -> "v"; ignored by cache
    }

    @Test
    public void whateverTheCase() { //~ passed
        Held.CACHED_NAMES.add("n"); //~ POLLUTES added ignored.Held.CACHED_NAMES[0]: -> "n"; ignored by cache
    }

    @Test
    public void byTheNameOfAClass() { //~ passed
        Held.LookupCache.entries.add("e"); //~ POLLUTES added ignored.Held$LookupCache.entries[0]: -> "e"; ignored by cache
    }

    @Test
    public void byTheNameOfAFieldInside() { //~ passed
        Held.holder.resultCache.put("r", "s"); //~ POLLUTES added ignored.Held.holder.resultCache["r"]: -> "s"; ignored by cache
    }

    @Test
    public void notTheFieldBesideIt() { //~ passed
        Held.holder.size = 1; //~ POLLUTES changed ignored.Held.holder.size: 0 -> 1
    }

    @Test
    public void both() { //~ passed
        Held.plain.put("p", "q"); //~ POLLUTES added ignored.Held.plain["p"]: -> "q"; collection-grew
        Held.cache.put("both", "v"); //~ POLLUTES added ignored.Held.cache["both"]: -> "v"; ignored by cache
    }

    @Test
    public void nothing() { //~ passed
        //~ CLEAN strictly
        Held.cache.get("k");
    }
}
