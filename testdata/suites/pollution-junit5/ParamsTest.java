// Every run of a parameterized, repeated or dynamic test is judged on its own.
package params;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ParamsTest {
    static final List<String> kept = new ArrayList<>();
    static int repeated;
    static int dynamic;
    static int largest;
    static int undone;

    @BeforeAll
    static void load() {
        assertTrue(kept.isEmpty());
    }

    @AfterEach
    void undo() {
        undone = 0;
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 20, 3, 40})
    void onlySomePollute(int n) {
        //~ params.ParamsTest#onlySomePollute[1] passed
        //~ params.ParamsTest#onlySomePollute[2] passed
        //~ params.ParamsTest#onlySomePollute[3] passed
        //~ params.ParamsTest#onlySomePollute[4] passed
        //~ CLEAN #onlySomePollute[1]
        if (n >= 20) {
            kept.add("n" + n); //~ POLLUTES #onlySomePollute[2] added params.ParamsTest.kept[0]: -> "n20"; collection-grew
            //~^ POLLUTES #onlySomePollute[4] added params.ParamsTest.kept[1]: -> "n40"; collection-grew
        }
        //~ CLEAN #onlySomePollute[3]
    }

    @ParameterizedTest
    @CsvSource({"5, a", "3, b", "9, c"})
    void largestSoFar(int n, String name) {
        //~ params.ParamsTest#largestSoFar[1] passed
        //~ params.ParamsTest#largestSoFar[2] passed
        //~ params.ParamsTest#largestSoFar[3] passed
        largest = Math.max(largest, n); //~ POLLUTES #largestSoFar[1] changed params.ParamsTest.largest: 0 -> 5
        //~^ POLLUTES #largestSoFar[3] changed params.ParamsTest.largest: 5 -> 9
        //~ CLEAN #largestSoFar[2]
    }

    @RepeatedTest(2)
    void repeats() {
        //~ params.ParamsTest#repeats[1] passed
        //~ params.ParamsTest#repeats[2] passed
        repeated++; //~ POLLUTES #repeats[1] changed params.ParamsTest.repeated: 0 -> 1; counter
        //~^ POLLUTES #repeats[2] changed params.ParamsTest.repeated: 1 -> 2; counter
    }

    @TestFactory
    Stream<DynamicTest> made() {
        //~ params.ParamsTest#made[1] passed
        //~ params.ParamsTest#made[2] passed
        return Stream.of(1, 2).map(n -> DynamicTest.dynamicTest("n" + n, () -> {
            if (n == 2) {
                dynamic = n; //~ POLLUTES #made[2] changed params.ParamsTest.dynamic: 0 -> 2
            }
            //~ CLEAN #made[1]
        }));
    }

    @Test
    void cleanedAfterEach() { //~ passed
        //~ CLEAN
        undone = 9;
        assertEquals(9, undone);
    }
}
