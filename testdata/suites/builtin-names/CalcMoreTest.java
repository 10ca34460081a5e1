package names;

import org.junit.Test;

public class CalcMoreTest {
    @Test
    public void adds() { //~ passed
    }
}
