package five;

import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertIterableEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeout;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.fail;
import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static org.junit.jupiter.api.Assumptions.assumingThat;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Disabled;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class OutcomesTest {
    @Test
    void passes() { //~ passed
        assertEquals(2, 1 + 1);
    }

    @Test
    void fails() { //~ failed expected: <1> but was: <2>
        assertEquals(1, 2);
    }

    @Test
    void failsWithMessage() { //~ failed lazily ==> expected: <1> but was: <2>
        assertEquals(1, 2, () -> "lazily");
    }

    @Test
    void several() { //~ failed several (2 failures)
        assertAll("several", () -> assertEquals(1, 2), () -> fail("second"), () -> assertEquals(1, 1));
    }

    @Test
    void lists() { //~ failed iterable contents differ at index [1], expected: <2> but was: <3>
        assertIterableEquals(List.of(1, 2), List.of(1, 3));
    }

    @Test
    void errs() throws Exception { //~ error java.io.IOException
        throw new java.io.IOException("disk");
    }

    @Test
    void catches() { //~ passed
        assertEquals("no", assertThrows(IllegalStateException.class, () -> raise("no")).getMessage());
    }

    private static void raise(String message) {
        throw new IllegalStateException(message);
    }

    @Test
    void throwsNothing() { //~ failed Expected java.lang.IllegalStateException to be thrown, but nothing was thrown.
        assertThrows(IllegalStateException.class, () -> {});
    }

    @Test
    @Disabled("for a reason")
    void disabled() { //~ skipped for a reason
        fail("disabled");
    }

    @Test
    @Disabled
    void disabledWithoutReason() { //~ skipped
        fail("disabled");
    }

    @Test
    void assumes() { //~ skipped Assumption failed: not here
        assumeTrue(false, "not here");
    }

    @Test
    void assumesInPart() { //~ passed
        assumingThat(false, () -> fail("not run"));
    }

    @Test
    void inTime() { //~ passed
        assertEquals("done", assertTimeout(Duration.ofSeconds(50), () -> "done"));
    }

    @Test
    void notInTime() { //~ failed execution timed out after 20 ms
        assertTimeoutPreemptively(Duration.ofMillis(20), () -> Thread.sleep(50_000));
    }

    @Test
    @Timeout(value = 50, unit = TimeUnit.MILLISECONDS)
    void timeoutAnnotation() throws Exception { //~ error timed out after 50 milliseconds
        Thread.sleep(50_000);
    }

    @Test
    @DisplayName("a name with spaces, 💡 and \"quotes\"")
    void shown() { //~ display: a name with spaces, 💡 and "quotes"
        //~ passed
    }
}
