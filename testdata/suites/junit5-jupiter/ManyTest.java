package five;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.time.DayOfWeek;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.aggregator.ArgumentsAccessor;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.NullAndEmptySource;
import org.junit.jupiter.params.provider.ValueSource;

class ManyTest {
    @ParameterizedTest
    @ValueSource(strings = {"a", "", "c"})
    void values(String text) { //~ [1] passed
        //~ [2] failed expected: <1> but was: <0>
        //~ [3] passed
        assertEquals(1, text.length());
    }

    @ParameterizedTest(name = "{index}: {0} + {1} = {2}")
    @CsvSource({"1, 2, 3", "'4', 5, 9", "1, 1, 3"})
    void csv(int a, int b, int sum) { //~ [1] passed
        //~ [2] passed
        //~ [3] failed expected: <3> but was: <2>
        assertEquals(sum, a + b);
    }

    @ParameterizedTest
    @EnumSource(value = DayOfWeek.class, names = {"SATURDAY", "SUNDAY"})
    void enums(DayOfWeek day) { //~ [1] passed
        //~ [2] passed
        assertTrue(day.name().startsWith("S"));
    }

    @ParameterizedTest
    @MethodSource("pairs")
    void methods(String name, int length) { //~ [1] passed
        //~ [2] error java.lang.NullPointerException
        assertEquals(length, name.length());
    }

    static Stream<Arguments> pairs() {
        return Stream.of(arguments("ab", 2), arguments(null, 0));
    }

    @ParameterizedTest
    @NullAndEmptySource
    @ValueSource(strings = "x")
    void nulls(String text) { //~ [1] passed
        //~ [2] passed
        //~ [3] passed
        assertTrue(text == null || text.length() < 2);
    }

    @ParameterizedTest
    @CsvSource({"3, MONDAY", "4, tuesday"})
    void converted(ArgumentsAccessor row) { //~ [1] passed
        //~ [2] error org.junit.jupiter.params.aggregator.ArgumentAccessException
        assertNotNull(row.get(1, DayOfWeek.class));
    }

    @ParameterizedTest
    @MethodSource("none")
    void withoutArguments(String ignored) { //~ error Configuration error: You must configure at least one set of arguments
    }

    static Stream<String> none() {
        return Stream.empty();
    }

    @RepeatedTest(3)
    void repeated(RepetitionInfo info) { //~ [1] passed
        //~ [2] failed the second
        //~ [3] passed
        assertTrue(info.getCurrentRepetition() != 2, "the second");
    }

    @Test
    void overloaded() { //~ passed
    }

    @ParameterizedTest
    @ValueSource(ints = 1)
    void overloaded(int n) { //~ [1] passed
    }
}
