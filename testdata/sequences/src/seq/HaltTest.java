package seq;

import org.junit.Test;

/** Ends its VM: nothing runs after it. */
public class HaltTest {
    @Test
    public void h1() {
        Story.test("h1");
        Runtime.getRuntime().halt(3);
    }
}
