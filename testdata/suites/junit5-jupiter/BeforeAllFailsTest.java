package five;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class BeforeAllFailsTest { //~ error no beginning
    @BeforeAll
    static void start() {
        throw new IllegalStateException("no beginning");
    }

    @Test
    void one() {}
}
