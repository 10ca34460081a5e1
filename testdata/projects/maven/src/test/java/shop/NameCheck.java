package shop;

import org.junit.jupiter.api.Test;

class NameCheck {
    @Test
    void isIncluded() {}
}
