// A class under test with fixtures, none of which is shared.
package none;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.NoSuchElementException;
import org.junit.After;
import org.junit.Before;
import org.junit.Test;

public class StackTest {
    private static final String NAME = "stack";
    private Deque<String> stack;

    @Before
    public void make() {
        stack = new ArrayDeque<>();
    }

    @After
    public void drop() {
        stack = null;
    }

    @Test
    public void startsEmpty() { //~ passed
        //~ CLEAN strictly
        assertTrue(NAME, stack.isEmpty());
    }

    @Test
    public void pushes() { //~ passed
        //~ CLEAN strictly
        stack.push("a");
        stack.push("b");
        assertEquals("b", stack.peek());
    }

    @Test
    public void pops() { //~ passed
        //~ CLEAN strictly
        stack.push("a");
        assertEquals("a", stack.pop());
        assertTrue(stack.isEmpty());
    }

    @Test
    public void popsNothing() { //~ passed
        //~ CLEAN
        assertThrows(NoSuchElementException.class, stack::pop);
    }

    @Test
    public void loops() { //~ passed
        //~ CLEAN strictly
        for (int i = 0; i < 100; i++) {
            if (i % 3 == 0) {
                stack.push("x");
            } else if (!stack.isEmpty() && i % 7 == 0) {
                try {
                    stack.pop();
                } finally {
                    stack.push("y");
                }
            }
        }
        assertEquals(34, stack.size());
    }

    @Test
    public void switches() { //~ passed
        //~ CLEAN strictly
        switch (NAME) {
            case "stack":
                stack.push(NAME);
                break;
            default:
                throw new AssertionError(NAME);
        }
        assertEquals(1, stack.size());
    }
}
