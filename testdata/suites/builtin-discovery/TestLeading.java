package discovery;

import org.junit.Test;

public class TestLeading {
    @Test
    public void found() { //~ passed
    }

    public static class InnerTest {
        @Test
        public void nestedClassesAreNotLookedInto() {
            throw new AssertionError("run by mistake");
        }
    }
}
