// Of hbc: shuffling steps the generator that Collections keeps.
package paper;

import static org.junit.Assert.assertEquals;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.BeforeClass;
import org.junit.Test;

public class HttpHostsTest {
    @BeforeClass
    public static void load() {
        Collections.shuffle(new ArrayList<>(List.of(1, 2, 3)));
        //~^ FIXTURE changed java.util.Collections.r: null -> _; jdk
    }

    @Test
    public void shuffles() { //~ passed
        List<String> hosts = new ArrayList<>(List.of("a", "b", "c", "d"));
        Collections.shuffle(hosts); //~ POLLUTES changed java.util.Collections.r.seed.value; random, jdk
        assertEquals(4, hosts.size());
    }

    @Test
    public void shufflesWithItsOwn() { //~ passed
        //~ CLEAN
        Collections.shuffle(new ArrayList<>(List.of("a", "b", "c", "d")), new Random(42));
    }
}
