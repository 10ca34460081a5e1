// The suite's own state is told first, then that of libraries, then that of the class library.
package origin;

import static org.junit.Assert.assertEquals;

import jdk.internal.acme.Named;
import library.Registry;
import org.junit.BeforeClass;
import org.junit.Test;

public class OriginTest {
    static String own = "old";

    @BeforeClass
    public static void load() {
        assertEquals(0, Registry.count);
        assertEquals(0, Named.count);
    }

    @Test
    public void allThree() { //~ passed
        System.setProperty("origin.set", "x"); //~ POLLUTES added java.lang.System.props["origin.set"]: -> "x"; jdk, configuration
        Registry.register("all");
        own = "new"; //~ POLLUTES changed origin.OriginTest.own: "old" -> "new"; suite
    }

    @Test
    public void ofTheLibrary() { //~ passed
        Registry.register("one");
        Registry.count++; //~ POLLUTES changed library.Registry.count: 0 -> 1; library, counter
    }

    @Test
    public void calledAsIfOfTheJdk() { //~ passed
        Named.count++; //~ POLLUTES changed jdk.internal.acme.Named.count: 0 -> 1; suite, counter
        Named.enter("me");
    }
}
