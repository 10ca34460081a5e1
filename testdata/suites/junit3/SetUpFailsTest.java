package three;

import junit.framework.TestCase;

public class SetUpFailsTest extends TestCase {
    @Override
    protected void setUp() {
        throw new IllegalArgumentException("no setup");
    }

    public void testOne() { //~ error no setup
    }
}
