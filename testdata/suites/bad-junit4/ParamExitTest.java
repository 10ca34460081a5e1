package bad;

import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.Parameterized;
import org.junit.runners.Parameterized.Parameter;
import org.junit.runners.Parameterized.Parameters;

@RunWith(Parameterized.class)
public class ParamExitTest {
    @Parameters
    public static Object[] numbers() {
        return new Object[] {1, 2, 3};
    }

    @Parameter public int n;

    @Test
    public void exitsInTheMiddle() { //~ [0] passed
        //~ [1] error System.exit(2)
        //~ [2] passed
        if (n == 2) {
            System.exit(n);
        }
    }
}
