package runners;

import static org.junit.Assert.assertTrue;

import java.util.Arrays;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.Parameterized;
import org.junit.runners.Parameterized.Parameter;
import org.junit.runners.Parameterized.Parameters;

@RunWith(Parameterized.class)
public class NamedParamTest {
    @Parameter public String word;

    @Parameters(name = "{index}: {0}")
    public static Iterable<String> words() {
        return Arrays.asList("a", "b (c)", "d.e#f");
    }

    @Test
    public void isShort() { //~ [0: a] passed
        //~ [1: b (c)] failed b (c)
        //~ [2: d.e#f] failed d.e#f
        assertTrue(word, word.length() == 1);
    }
}
