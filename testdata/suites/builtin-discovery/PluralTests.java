package discovery;

import org.junit.Test;

public class PluralTests {
    @Test
    public void found() { //~ passed
    }
}
