package lifecycle;

import org.junit.Assert;
import org.junit.Test;

public class InheritedTest extends InheritedBase {
    //~ lifecycle.InheritedTest#fromBase passed

    @Test
    public void own() { //~ passed
    }

    @Override
    @Test
    public void overridden() { //~ passed
    }
}
