package fix5;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.Locale;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Jupiter: methods without a modifier, nested classes, assertions with lambdas. */
//~ $Inner#expectsTheUsual victim polluter helper | mode = "usual";
//~ $Inner#expectsTheUsual victim victim helper | mode = "usual";
//~ #speaksEnglish victim polluter synthesised around | Locale.setDefault(savedLocale);
//~ #needsAUser brittle victim helper start | user = "root";
class NestedTest {
    static String mode = "usual";
    static String user;

    @Test
    void changesTheMode() {
        mode = "odd";
    }

    @Test
    void resetsInALambda() {
        Optional.of("usual").ifPresent(value -> {
            mode = "usual";
        });
        assertEquals("usual", mode);
    }

    @Test
    void goesToFrance() {
        Locale.setDefault(Locale.FRANCE);
    }

    @Test
    void speaksEnglish() {
        assertEquals("en", Locale.getDefault().getLanguage());
    }

    @Test
    void logsIn() {
        assertThrows(IllegalStateException.class, () -> {
            user = "root";
            throw new IllegalStateException();
        });
    }

    @Test
    void needsAUser() {
        assertEquals("root", user);
    }

    @Nested
    class Inner {
        private String expected;

        @BeforeEach
        void setUp() {
            expected = "usual";
        }

        @Test
        void expectsTheUsual() {
            assertEquals(expected, mode);
        }
    }
}
