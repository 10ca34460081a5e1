package bad;

import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;

/** JUnit's platform lets an OutOfMemoryError through: the run ends, and goes on after the test. */
@TestMethodOrder(MethodOrderer.MethodName.class)
class MemoryTest {
    @Test
    void a_takesTooMuch() { //~ error java.lang.OutOfMemoryError: Requested array size exceeds VM limit
        byte[] much = new byte[Integer.MAX_VALUE];
        much[0] = 1;
    }

    @Test
    void b_after() { //~ passed
    }
}
