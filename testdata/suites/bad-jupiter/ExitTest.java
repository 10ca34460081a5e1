package bad;

import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@TestMethodOrder(MethodOrderer.MethodName.class)
class ExitTest {
    @Test
    void a_before() { //~ passed
    }

    @Test
    void b_exits() { //~ error System.exit(3)
        System.exit(3);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void c_exitsInTheMiddle(int n) { //~ [1] passed
        //~ [2] error System.exit(2)
        //~ [3] passed
        if (n == 2) {
            System.exit(n);
        }
    }

    @RepeatedTest(2)
    void d_exitsAtTheEnd(RepetitionInfo info) { //~ [1] passed
        //~ [2] error System.exit(7)
        if (info.getCurrentRepetition() == 2) {
            System.exit(7);
        }
    }

    @Test
    void e_after() { //~ passed
    }

    @Nested
    class Inside {
        @Test
        void exitsToo() { //~ error System.exit(8)
            System.exit(8);
        }

        @Test
        void staysToo() { //~ passed
        }
    }
}
