package paper;

import static org.junit.Assert.assertEquals;

import org.junit.BeforeClass;
import org.junit.Test;

public class StringBufferPoolTest {
    @BeforeClass
    public static void load() {
        StringBufferPool.get();
    }

    @Test
    public void leaves() { //~ passed
        StringBuffer buffer = StringBufferPool.get();
        buffer.append("serialised");
        assertEquals(10, buffer.length());
        StringBufferPool.free(buffer);
    }
}
