package mixed;

import java.util.Arrays;
import org.junit.Assert;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.Parameterized;
import org.junit.runners.Parameterized.Parameters;

@RunWith(Parameterized.class)
public class ParamTest {
    private final int number;

    public ParamTest(int number) {
        this.number = number;
    }

    @Parameters
    public static Iterable<Object> data() {
        return Arrays.asList(1, 2);
    }

    @Test
    public void odd() { //~ [0] passed
        //~ [1] failed 2
        Assert.assertEquals("" + number, 1, number % 2);
    }
}
