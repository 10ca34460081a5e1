package bare;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Disabled;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BareTest {
    static boolean ready;

    @BeforeAll
    static void makeReady() {
        ready = true;
    }

    @Test
    void plain() { //~ passed
        assertTrue(ready);
    }

    @Test
    void fails() { //~ failed expected: <1> but was: <2>
        assertEquals(1, 2);
    }

    @Test
    @Disabled("off")
    void disabled() { //~ skipped off
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 30})
    void small(int n) { //~ [1] passed
        //~ [2] passed
        //~ [3] failed expected: <true> but was: <false>
        assertTrue(n < 10);
    }

    @TestFactory
    Stream<DynamicTest> made() { //~ [1] passed
        return Stream.of(DynamicTest.dynamicTest("made", () -> {}));
    }

    @Nested
    class Inner {
        @Test
        void inner() { //~ passed
        }
    }
}
