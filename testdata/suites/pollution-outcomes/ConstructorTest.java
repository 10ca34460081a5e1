// The constructor runs for each test and belongs to it.
package outcomes;

import org.junit.BeforeClass;
import org.junit.Test;

public class ConstructorTest {
    public ConstructorTest() {
        Outcome.constructed++; //~ POLLUTES #one changed outcomes.Outcome.constructed; counter
        //~^ POLLUTES #two changed outcomes.Outcome.constructed; counter
    }

    @BeforeClass
    public static void load() {
        Outcome.load();
    }

    @Test
    public void one() {} //~ passed

    @Test
    public void two() {} //~ passed
}
