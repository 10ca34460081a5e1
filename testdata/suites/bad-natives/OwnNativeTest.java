package bad;

import static org.junit.Assert.assertEquals;

import org.junit.Test;

/** Native methods of the suite's own: no library gives them a body. */
public class OwnNativeTest {
    static native int sum(int a, int b);

    @Test
    public void calls() { //~ error 'int bad.OwnNativeTest.sum(int, int)'
        sum(1, 2);
    }

    @Test
    public void catches() { //~ passed
        try {
            sum(1, 2);
        } catch (UnsatisfiedLinkError e) {
            assertEquals("'int bad.OwnNativeTest.sum(int, int)'", e.getMessage());
        }
    }

    @Test
    public void loads() { //~ error no nosuchlibrary in java.library.path
        System.loadLibrary("nosuchlibrary");
    }
}
