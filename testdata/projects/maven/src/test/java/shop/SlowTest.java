package shop;

import org.junit.jupiter.api.Test;

class SlowTest {
    @Test
    void isExcluded() {
        throw new AssertionError("Surefire leaves this out");
    }
}
