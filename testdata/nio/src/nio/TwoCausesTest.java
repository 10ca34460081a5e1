package nio;

import static org.junit.Assert.assertTrue;

import org.junit.Test;

/** Two fields, both of which must be restored. */
public class TwoCausesTest {
    private static boolean first = true;
    private static boolean second = true;
    private static int unrelated;

    //~ nio nio.TwoCausesTest.first nio.TwoCausesTest.second
    @Test
    public void needsBoth() {
        assertTrue(first && second);
        unrelated++;
        first = false;
        second = false;
    }
}
