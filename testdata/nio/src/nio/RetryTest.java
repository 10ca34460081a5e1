package nio;

import static org.junit.Assert.assertEquals;

import java.util.concurrent.atomic.AtomicInteger;
import org.junit.Test;

/** A counter that nobody resets: figure 3 of the paper. */
public class RetryTest {
    private static final AtomicInteger counter = new AtomicInteger();

    //~ nio nio.RetryTest.counter
    @Test
    public void countsRetries() {
        int retries = 0;
        while (retries < 4) {
            retries++;
            counter.incrementAndGet();
        }
        assertEquals(retries, counter.get());
    }

    //~ idempotent
    @Test
    public void readsNothing() {
        assertEquals(4, 2 + 2);
    }
}
