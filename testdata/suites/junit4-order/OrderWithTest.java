package order;

import static org.junit.Assert.assertEquals;

import org.junit.Test;
import org.junit.runner.OrderWith;
import org.junit.runner.manipulation.Alphanumeric;

@OrderWith(Alphanumeric.class)
public class OrderWithTest {
    private static int step;

    @Test
    public void z() { //~ passed
        assertEquals(2, ++step);
    }

    @Test
    public void a() { //~ passed
        assertEquals(1, ++step);
    }
}
