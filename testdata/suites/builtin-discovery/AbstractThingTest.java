package discovery;

import org.junit.Test;

public abstract class AbstractThingTest {
    @Test
    public void notRunByItself() {
        throw new AssertionError("run by mistake");
    }
}
