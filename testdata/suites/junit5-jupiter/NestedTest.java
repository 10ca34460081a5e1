package five;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.NoSuchElementException;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Disabled;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

@DisplayName("A stack")
class NestedTest {
    Deque<String> stack;

    @Test
    void outer() { //~ passed
    }

    @Nested
    @DisplayName("when new")
    class WhenNew {
        @BeforeEach
        void make() {
            stack = new ArrayDeque<>();
        }

        @Test
        void isEmpty() { //~ passed
            assertEquals(0, stack.size());
        }

        @Test
        void throwsWhenPopped() { //~ error java.util.NoSuchElementException
            stack.pop();
        }

        @Nested
        class AfterPushing {
            @BeforeEach
            void push() {
                stack.push("an element");
            }

            @Test
            void isNotEmpty() { //~ passed
                assertEquals(1, stack.size());
            }

            @Test
            void isWrong() { //~ failed expected: <2> but was: <1>
                assertEquals(2, stack.size());
            }
        }
    }

    @Nested
    @Disabled("later")
    class NotYet {
        @Test
        void one() { //~ skipped later
        }
    }

    static class NotNested {
        @Test
        void notFound() {
            Assertions.fail("run by mistake");
        }
    }
}
