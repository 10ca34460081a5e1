package discovery;

import org.junit.Test;

public class OldTestCase {
    @Test
    public void found() { //~ passed
    }
}
