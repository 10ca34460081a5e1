package five;

import org.junit.jupiter.api.Disabled;
import org.junit.jupiter.api.Test;

@Disabled("all of it")
class DisabledClassTest { //~ skipped all of it
    @Test
    void one() {}

    @Test
    void two() {}
}
