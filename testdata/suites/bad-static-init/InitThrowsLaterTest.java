package bad;

import static org.junit.Assert.assertEquals;

import org.junit.Test;

/** The class under test, not the test class, fails to initialise. */
public class InitThrowsLaterTest {
    static class Broken {
        static final int VALUE = Integer.parseInt("seven");
    }

    @Test
    public void both() { //~ passed
        try {
            System.out.println(Broken.VALUE);
        } catch (ExceptionInInitializerError e) {
            assertEquals(NumberFormatException.class, e.getCause().getClass());
        }
        try {
            System.out.println(Broken.VALUE);
        } catch (NoClassDefFoundError e) {
            assertEquals("Could not initialize class bad.InitThrowsLaterTest$Broken", e.getMessage());
        }
    }

    @Test
    public void notCaught() { //~ error java.lang.NoClassDefFoundError
        try {
            System.out.println(Broken.VALUE);
        } catch (ExceptionInInitializerError e) {
            // The other test may have come first.
        }
        System.out.println(Broken.VALUE);
    }
}
