package discovery;

import org.junit.Test;

public class PackagePrivateTest {
    @Test
    public void found() { //~ passed
    }

    public void noAnnotation() {
        throw new AssertionError("run by mistake");
    }
}
