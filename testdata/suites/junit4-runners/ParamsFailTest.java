package runners;

import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.Parameterized;
import org.junit.runners.Parameterized.Parameters;

@RunWith(Parameterized.class)
public class ParamsFailTest {
    //~ runners.ParamsFailTest#initializationError error no data

    @Parameters
    public static Iterable<Object> data() {
        throw new IllegalStateException("no data");
    }

    public ParamsFailTest(Object ignored) {}

    @Test
    public void one() {}
}
