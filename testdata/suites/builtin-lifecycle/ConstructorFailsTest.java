package lifecycle;

import org.junit.Test;

public class ConstructorFailsTest {
    public ConstructorFailsTest() {
        throw new UnsupportedOperationException("cannot be made");
    }

    @Test
    public void one() { //~ error cannot be made
    }
}
