package five;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.DynamicContainer.dynamicContainer;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicNode;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

class DynamicTest5Test {
    @TestFactory
    Stream<DynamicTest> numbers() { //~ [1] passed
        //~ [2] passed
        //~ [3] failed 3 is not small
        return IntStream.rangeClosed(1, 3).mapToObj(n -> dynamicTest("n " + n, () -> assertTrue(n < 3, n + " is not small")));
    }

    @TestFactory
    List<DynamicNode> tree() { //~ [1.1] passed
        //~ [1.2] failed expected: <1> but was: <2>
        //~ [2] passed
        return List.of(
                dynamicContainer("branch", List.of(dynamicTest("leaf", () -> {}), dynamicTest("dead leaf", () -> assertEquals(1, 2)))),
                dynamicTest("stem", () -> {}));
    }

    @TestFactory
    DynamicTest one() { //~ [1] passed
        return dynamicTest("only one", () -> {});
    }

    @TestFactory
    Stream<DynamicTest> broken() { //~ error the factory is closed
        throw new IllegalStateException("the factory is closed");
    }
}
