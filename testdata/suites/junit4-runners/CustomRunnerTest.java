package runners;

import org.junit.Assert;
import org.junit.runner.RunWith;

/** A runner of the suite's own: every public method without arguments is a test, run twice. */
@RunWith(TwiceRunner.class)
public class CustomRunnerTest {
    private static int calls;

    public void counts() { //~ passed
        //~ passed
        calls++;
        Assert.assertTrue(calls > 0);
    }

    public void firstTimeOnly() { //~ passed
        //~ failed once is enough
        Assert.assertTrue("once is enough", FIRST.add("firstTimeOnly"));
    }

    private static final java.util.Set<String> FIRST = new java.util.HashSet<>();
}
