// Of Bukkit: runs of a parameterized test of which only one pollutes.
package params;

import static org.junit.Assert.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.BeforeClass;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.Parameterized;
import org.junit.runners.Parameterized.Parameter;
import org.junit.runners.Parameterized.Parameters;

@RunWith(Parameterized.class)
public class DyeColorTest {
    static final List<String> legacy = new ArrayList<>();
    static int asked;

    @Parameter public String color;

    @Parameters
    public static List<Object[]> colors() {
        return Arrays.asList(new Object[][] {{"white"}, {"silver"}, {"black"}});
    }

    @BeforeClass
    public static void load() {
        assertTrue(legacy.isEmpty());
    }

    @Test
    public void getWoolDyeColor() {
        //~ params.DyeColorTest#getWoolDyeColor[0] passed
        //~ params.DyeColorTest#getWoolDyeColor[1] passed
        //~ params.DyeColorTest#getWoolDyeColor[2] passed
        if (color.equals("silver")) {
            legacy.add(color); //~ POLLUTES #getWoolDyeColor[1] added params.DyeColorTest.legacy[0]: -> "silver"; collection-grew
        }
        //~ CLEAN #getWoolDyeColor[0]
        //~ CLEAN #getWoolDyeColor[2]
    }

    @Test
    public void allPollute() {
        //~ params.DyeColorTest#allPollute[0] passed
        //~ params.DyeColorTest#allPollute[1] passed
        //~ params.DyeColorTest#allPollute[2] passed
        asked++; //~ POLLUTES #allPollute[0] changed params.DyeColorTest.asked: 0 -> 1; counter
        //~^ POLLUTES #allPollute[1] changed params.DyeColorTest.asked: 1 -> 2; counter
        //~^^ POLLUTES #allPollute[2] changed params.DyeColorTest.asked: 2 -> 3; counter
    }
}
