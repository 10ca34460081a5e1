package names;

import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NamesTest {
    @Test
    void plain() { //~ passed
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 30})
    void small(int n) { //~ [1] passed
        //~ [2] passed
        //~ [3] failed
        assertTrue(n < 10);
    }

    @Nested
    class Inner {
        @Test
        void plain() { //~ passed
        }
    }
}
