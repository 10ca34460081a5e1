// What runs before the very first test of a run belongs to its class, like what runs between two tests.
package first;

import static org.junit.Assert.assertEquals;

import java.util.ArrayList;
import java.util.List;
import org.junit.BeforeClass;
import org.junit.Test;

public class FirstTest {
    static final List<String> steps = new ArrayList<>();
    static int opened;

    @BeforeClass
    public static void open() {
        opened++; //~ FIXTURE changed first.FirstTest.opened: 0 -> 1; counter, first touch
        steps.add("opened"); //~ FIXTURE added first.FirstTest.steps[0]: -> "opened"; first touch, collection-grew
        System.setProperty("first.opened", "yes"); //~ FIXTURE added java.lang.System.props["first.opened"]: -> "yes"; jdk, configuration
    }

    @Test
    public void reads() { //~ passed
        //~ CLEAN strictly
        assertEquals(1, opened);
        assertEquals("opened", steps.get(0));
    }

    @Test
    public void writes() { //~ passed
        steps.add("written"); //~ POLLUTES added first.FirstTest.steps[1]: -> "written"; collection-grew
    }
}
