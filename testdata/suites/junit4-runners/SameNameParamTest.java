package runners;

import java.util.Arrays;
import org.junit.Assert;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.Parameterized;
import org.junit.runners.Parameterized.Parameters;

/** Invocations of one name must not overwrite each other. */
@RunWith(Parameterized.class)
public class SameNameParamTest {
    private final boolean good;

    public SameNameParamTest(boolean good) {
        this.good = good;
    }

    @Parameters(name = "same")
    public static Iterable<Object> data() {
        return Arrays.asList(true, false, true);
    }

    @Test
    public void isGood() { //~ [same] passed
        //~ [same] failed bad
        //~ [same] passed
        Assert.assertTrue("bad", good);
    }
}
