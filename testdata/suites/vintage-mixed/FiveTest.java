package mixed;

import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;

class FiveTest {
    @Test
    void passes() { //~ passed
    }

    @Test
    void fails() { //~ failed expected: <1> but was: <2>
        Assertions.assertEquals(1, 2);
    }
}
