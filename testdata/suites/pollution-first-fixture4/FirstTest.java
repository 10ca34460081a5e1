// What makes the parameters, class rules and @BeforeClass of the very first class write is the class's, not a test's.
package first;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.BeforeClass;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.rules.ExternalResource;
import org.junit.runner.RunWith;
import org.junit.runners.Parameterized;
import org.junit.runners.Parameterized.Parameter;
import org.junit.runners.Parameterized.Parameters;

@RunWith(Parameterized.class)
public class FirstTest {
    static final List<String> steps = new ArrayList<>();
    static int opened;

    @Parameter public String name;

    @Parameters
    public static List<Object[]> names() {
        steps.add("named"); //~ FIXTURE added first.FirstTest.steps[0]: -> "named"; first touch, collection-grew
        return Arrays.asList(new Object[][] {{"a"}, {"b"}});
    }

    @ClassRule
    public static final ExternalResource rule = new ExternalResource() {
        @Override
        protected void before() {
            steps.add("ruled"); //~ FIXTURE added first.FirstTest.steps[1]: -> "ruled"; first touch, collection-grew
        }
    };

    @BeforeClass
    public static void open() {
        opened++; //~ FIXTURE changed first.FirstTest.opened: 0 -> 1; counter, first touch
    }

    @Test
    public void reads() {
        //~ first.FirstTest#reads[0] passed
        //~ first.FirstTest#reads[1] passed
        //~ CLEAN #reads[0]
        //~ CLEAN #reads[1]
        assertEquals(1, opened);
        assertTrue(steps.size() >= 2);
    }

    @Test
    public void writes() {
        //~ first.FirstTest#writes[0] passed
        //~ first.FirstTest#writes[1] passed
        steps.add(name); //~ POLLUTES #writes[0] added first.FirstTest.steps[2]: -> "a"; collection-grew
        //~^ POLLUTES #writes[1] added first.FirstTest.steps[3]: -> "b"; collection-grew
    }
}
