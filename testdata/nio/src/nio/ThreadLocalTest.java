package nio;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNotNull;

import java.util.HashMap;
import java.util.Map;
import org.junit.Test;

/** Values bound to the thread: figure 4 of the paper. In the order of the class the first test fails twice. */
public class ThreadLocalTest {
    private static final ThreadLocal<Map<String, String>> BOUND = new ThreadLocal<Map<String, String>>() {
        @Override
        protected Map<String, String> initialValue() {
            return new HashMap<String, String>();
        }
    };

    //~ nio nio.ThreadLocalTest.BOUND
    //~ only isolated-method
    @Test
    public void size() {
        BOUND.get().put("first", "1");
        assertEquals(1, BOUND.get().size());
        BOUND.get().put("second", "2");
        assertEquals(2, BOUND.get().size());
    }

    //~ idempotent
    @Test
    public void bindsAValue() {
        BOUND.get().put("other", "x");
        assertNotNull(BOUND.get().get("other"));
    }
}
