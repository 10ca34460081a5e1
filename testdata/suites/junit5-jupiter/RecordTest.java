package five;

import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.TestReporter;

class RecordTest {
    record Point(int x, int y) {}

    @Test
    void injected(TestInfo info, TestReporter reporter) { //~ passed
        reporter.publishEntry("key", "value");
        Assertions.assertEquals("injected", info.getTestMethod().get().getName());
        Assertions.assertEquals("injected(TestInfo, TestReporter)", info.getDisplayName());
    }

    @Test
    void shown() { //~ failed expected: <Point[x=1, y=2]> but was: <Point[x=2, y=1]>
        Assertions.assertEquals(new Point(1, 2), new Point(2, 1));
    }
}
