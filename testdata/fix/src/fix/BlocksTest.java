package fix;

import static org.junit.Assert.assertEquals;

import java.util.Arrays;
import java.util.List;
import org.junit.Test;

/** What helps stands inside of a loop, a try and a lambda, and nothing around it is needed. */
//~ expectsDepthZero victim polluter helper end | depth = 0;
//~ expectsNoLevel victim polluter helper end | level = 0;
//~ expectsNoTask victim polluter helper end | task = null;
public class BlocksTest {
    static int depth;
    static int level;
    static String task;

    @Test
    public void goesDeep() {
        depth = 3;
    }

    @Test
    public void expectsDepthZero() {
        assertEquals(0, depth);
    }

    @Test
    public void surfaces() {
        List<Integer> steps = Arrays.asList(1, 2);
        int seen = 0;
        for (int step : steps) {
            seen += step;
            if (seen > 0) {
                depth = 0;
            }
        }
        assertEquals(3, seen);
    }

    @Test
    public void rises() {
        level = 3;
    }

    @Test
    public void expectsNoLevel() {
        assertEquals(0, level);
    }

    @Test
    public void falls() {
        int before = level;
        try {
            before = Integer.parseInt("none");
        } catch (NumberFormatException e) {
            before++;
        } finally {
            level = 0;
        }
        assertEquals(0, level);
    }

    @Test
    public void begins() {
        task = "begun";
    }

    @Test
    public void expectsNoTask() {
        assertEquals(null, task);
    }

    @Test
    public void ends() {
        Runnable end = () -> {
            task = null;
        };
        end.run();
        assertEquals(null, task);
    }
}
