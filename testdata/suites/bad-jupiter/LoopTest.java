package bad;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class LoopTest {
    static volatile long turns;

    @Test
    void neverEnds() { //~ timed_out
        while (true) {
            turns++;
        }
    }

    @Test
    void ends() { //~ passed
    }

    @Nested
    class NeverReady { //~ timed_out
        static volatile long waits;

        @BeforeAll
        static void waits() {
            while (true) {
                waits++;
            }
        }

        @Test
        void one() {}
    }
}
