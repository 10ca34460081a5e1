package mixed;

import org.junit.jupiter.api.Test;

class FiveTest {
    @Test
    void five() { //~ passed
    }
}
