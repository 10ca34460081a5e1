package lifecycle;

import org.junit.After;
import org.junit.Assert;
import org.junit.Test;

public class AfterFailsTest {
    @After
    public void after() {
        Assert.fail("left a mess");
    }

    @Test
    public void one() { //~ failed left a mess
    }
}
