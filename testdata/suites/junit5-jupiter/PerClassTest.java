package five;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class PerClassTest {
    private int count;

    @BeforeAll
    void start() {
        count = 10;
    }

    @Test
    @Order(2)
    void second() { //~ passed
        assertEquals(12, ++count);
    }

    @Test
    @Order(1)
    void first() { //~ passed
        assertEquals(11, ++count);
    }

    @AfterAll
    void end() {
        assertEquals(12, count);
    }
}
