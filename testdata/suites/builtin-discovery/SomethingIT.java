package discovery;

import org.junit.Test;

/** An integration test: found only when asked for. */
public class SomethingIT {
    @Test
    public void askedFor() { //~ passed
    }
}
