package fix;

import static org.junit.Assert.assertEquals;

import java.util.concurrent.Callable;
import org.junit.Test;

/** Anonymous classes have other numbers in the patched class. */
//~ expectsTheDefault victim victim helper | factory = null;
public class AnonymousTest {
    static Callable<Integer> factory;

    static int code() throws Exception {
        return factory == null ? 200 : factory.call();
    }

    @Test
    public void usesItsOwn() throws Exception {
        factory = new Callable<Integer>() {
            @Override
            public Integer call() {
                return 500;
            }
        };
        assertEquals(500, code());
    }

    @Test
    public void usesTheDefault() throws Exception {
        final int[] seen = {0};
        Runnable task = new Runnable() {
            @Override
            public void run() {
                seen[0]++;
            }
        };
        factory = null;
        task.run();
        int code = code();
        assertEquals(201, code + seen[0]);
    }

    @Test
    public void expectsTheDefault() throws Exception {
        final int[] seen = {0};
        new Runnable() {
            @Override
            public void run() {
                seen[0]++;
            }
        }.run();
        assertEquals(201, code() + seen[0]);
    }
}
