package runners;

import org.junit.Assert;
import org.junit.Test;
import org.junit.experimental.runners.Enclosed;
import org.junit.runner.RunWith;

@RunWith(Enclosed.class)
public class EnclosedTest {
    public static class WhenEmpty {
        @Test
        public void isEmpty() { //~ passed
            Assert.assertTrue("".isEmpty());
        }
    }

    public static class WhenFull {
        @Test
        public void isEmpty() { //~ failed full
            Assert.assertTrue("full", "x".isEmpty());
        }
    }
}
