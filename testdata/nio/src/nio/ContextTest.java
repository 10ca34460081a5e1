package nio;

import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import org.junit.Test;

/** A context that stays started: figure 7 of the paper. */
public class ContextTest {
    static final class Context {
        private static Context current;
        private boolean started;

        static Context get() {
            if (current == null) {
                current = new Context();
            }
            return current;
        }
    }

    //~ nio nio.ContextTest$Context.current
    @Test
    public void startsOnce() {
        Context context = Context.get();
        assertFalse(context.started);
        context.started = true;
        assertTrue(Context.get().started);
    }
}
