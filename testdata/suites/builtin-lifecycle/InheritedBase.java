package lifecycle;

import org.junit.Assert;
import org.junit.Test;

public abstract class InheritedBase {
    @Test
    public void fromBase() {}

    @Test
    public void overridden() {
        Assert.fail("the subclass has its own");
    }
}
