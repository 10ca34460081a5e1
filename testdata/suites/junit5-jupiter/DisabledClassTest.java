package five;

import org.junit.jupiter.api.Disabled;
import org.junit.jupiter.api.Test;

@Disabled("all of it")
class DisabledClassTest {
    @Test
    void one() { //~ skipped all of it
    }

    @Test
    void two() { //~ skipped all of it
    }
}
