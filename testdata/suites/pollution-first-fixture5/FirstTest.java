// What an extension and @BeforeAll of the very first class write is the class's, not a test's.
package first;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;

@ExtendWith(FirstTest.Opening.class)
class FirstTest {
    static final List<String> steps = new ArrayList<>();
    static int opened;

    static class Opening implements BeforeAllCallback {
        @Override
        public void beforeAll(ExtensionContext context) {
            extended();
        }
    }

    static void extended() {
        steps.add("extended"); //~ FIXTURE added first.FirstTest.steps[0]: -> "extended"; first touch, collection-grew
    }

    @BeforeAll
    static void open() {
        opened++; //~ FIXTURE changed first.FirstTest.opened: 0 -> 1; counter, first touch
        System.setProperty("first.opened", "yes"); //~ FIXTURE added java.lang.System.props["first.opened"]: -> "yes"; jdk, configuration
    }

    @Test
    void reads() { //~ passed
        //~ CLEAN strictly
        assertEquals(1, opened);
        assertEquals("extended", steps.get(0));
    }

    @Test
    void writes() { //~ passed
        steps.add("written"); //~ POLLUTES added first.FirstTest.steps[1]: -> "written"; collection-grew
    }
}
