package mixed;

import org.junit.Assert;
import org.junit.Assume;
import org.junit.Ignore;
import org.junit.Test;

public class FourTest {
    @Test
    public void passes() { //~ passed
    }

    @Test
    public void fails() { //~ failed expected:<1> but was:<2>
        Assert.assertEquals(1, 2);
    }

    @Test
    @Ignore("later")
    public void ignored() { //~ skipped later
    }

    @Test
    public void assumes() { //~ skipped not here
        Assume.assumeTrue("not here", false);
    }
}
