package bad;

import org.junit.Test;

/** The instance for the test cannot be made: the error is the test's. */
public class InitThrowsTest {
    static final int VALUE = compute();

    private static int compute() {
        throw new IllegalStateException("cannot be initialised");
    }

    @Test
    public void first() { //~ error java.lang.ExceptionInInitializerError
    }
}
