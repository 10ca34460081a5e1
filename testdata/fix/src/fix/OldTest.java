package fix;

import fix.app.Registry;
import junit.framework.TestCase;

/** JUnit 3: fixtures have names. */
//~ testExpectsNothing victim polluter helper | Registry.register("old", null);
//~ testExpectsNothing victim victim helper | Registry.register("old", null);
public class OldTest extends TestCase {
    private String name;

    @Override
    protected void setUp() throws Exception {
        super.setUp();
        name = "old";
    }

    public void testRegisters() {
        Registry.register(name, "set");
    }

    public void testExpectsNothing() {
        assertNull(Registry.find(name));
    }

    public void testCleans() {
        Registry.register("old", null);
        assertNull(Registry.find(name));
    }
}
