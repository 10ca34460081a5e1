package bad;

import org.junit.Assert;
import org.junit.Test;

public class RecursionTest {
    private int down(int depth) {
        return down(depth + 1) + 1;
    }

    @Test
    public void a_overflows() { //~ error java.lang.StackOverflowError
        down(0);
    }

    @Test
    public void b_catchesIt() { //~ passed
        try {
            down(0);
            Assert.fail("no overflow");
        } catch (StackOverflowError e) {
            Assert.assertNotNull(e.getStackTrace());
        }
    }

    @Test
    public void c_toStringOfItself() { //~ error java.lang.StackOverflowError
        java.util.List<Object> list = new java.util.ArrayList<>();
        list.add(java.util.Arrays.asList(list));
        list.toString();
    }

    @Test
    public void d_after() { //~ passed
    }
}
