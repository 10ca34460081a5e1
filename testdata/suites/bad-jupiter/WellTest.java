package bad;

import org.junit.jupiter.api.Test;

/** Must run whatever the others did. */
class WellTest {
    @Test
    void stillRuns() { //~ passed
    }
}
