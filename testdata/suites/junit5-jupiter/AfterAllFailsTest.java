package five;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;

class AfterAllFailsTest { //~ failed no end
    @AfterEach
    void each() {}

    @AfterAll
    static void end() {
        Assertions.fail("no end");
    }

    @Test
    void one() { //~ passed
    }
}
