package fix5;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Several invocations leave the same behind; there is a method that runs after each test. */
//~ #expectsNone victim polluter synthesised | open.clear();
class EachTest {
    static final List<String> open = new ArrayList<>();
    private int ended;

    @AfterEach
    void ends() {
        ended++;
    }

    @ParameterizedTest
    @ValueSource(strings = {"a", "b"})
    void opens(String name) {
        open.add(name);
    }

    @Test
    void expectsNone() {
        assertEquals(List.of(), open);
    }
}
