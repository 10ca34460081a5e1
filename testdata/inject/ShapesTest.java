package inject;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.After;
import org.junit.Before;
import org.junit.Test;

/** Statements of many shapes around a shared list. */
public class ShapesTest {
    static final List<String> LIST = new ArrayList<>();
    static int limit = 3;
    static int uses;

    @Before
    public void setUp() {
        uses = 0;
    }

    @After
    public void tearDown() {
        uses++;
    }

    @Test
    public void adds() {
        LIST.clear();
        for (int i = 0; i < limit; i++) {
            if (i == 5) {
                throw new IllegalStateException("too many");
            }
            LIST.add("x" + i);
        }
        assertEquals(3, LIST.size());
    }

    @Test
    public void raises() {
        int before = limit;
        try {
            limit = 7;
            Runnable check = () -> {
                LIST.add("y");
                LIST.remove("y");
            };
            check.run();
            assertFalse(LIST.contains("y"));
        } finally {
            limit = 3;
        }
        assertEquals(3, before);
    }

    @Test
    public void shadows() {
        int limit = 9;
        limit++;
        for (int i = 0; i < 9; i++) {
            limit--;
            if (limit < 5) {
                break;
            }
        }
        assertTrue(limit < 9);
    }

    @Test
    public void empty() {
        LIST.clear();
        assertTrue(LIST.isEmpty());
    }
}
