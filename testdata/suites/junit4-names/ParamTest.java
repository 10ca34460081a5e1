package names;

import static org.junit.Assert.assertEquals;

import java.util.Arrays;
import java.util.Collection;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.Parameterized;
import org.junit.runners.Parameterized.Parameters;

@RunWith(Parameterized.class)
public class ParamTest {
    private final int left;
    private final int right;

    public ParamTest(int left, int right) {
        this.left = left;
        this.right = right;
    }

    @Parameters
    public static Collection<Object[]> data() {
        return Arrays.asList(new Object[][] {{1, 1}, {2, 3}, {4, 4}});
    }

    @Test
    public void same() { //~ [0] passed
        //~ [1] failed expected:<2> but was:<3>
        //~ [2] passed
        assertEquals(left, right);
    }

    @Test
    public void small() { //~ [0] passed
        //~ [1] passed
        //~ [2] error too big
        if (left > 3) {
            throw new IllegalArgumentException("too big");
        }
    }
}
