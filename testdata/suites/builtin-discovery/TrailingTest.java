package discovery;

import org.junit.Test;

public class TrailingTest {
    @Test
    public void found() { //~ passed
    }
}
