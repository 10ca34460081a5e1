// Of spring-test-mvc: buffers kept for reuse.
package paper;

import java.util.ArrayDeque;
import java.util.Deque;

public class StringBufferPool {
    private static final Deque<StringBuffer> pool = new ArrayDeque<>();

    public static StringBuffer get() {
        StringBuffer kept = pool.poll();
        return kept == null ? new StringBuffer() : kept;
    }

    public static void free(StringBuffer buffer) {
        buffer.setLength(0);
        pool.add(buffer); //~ POLLUTES paper.StringBufferPoolTest#leaves added paper.StringBufferPool.pool[0]; cache-or-pool
    }
}
