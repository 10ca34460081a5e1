// A test pollutes whether it passes or not.
package outcomes;

import static org.junit.Assert.assertEquals;
import static org.junit.Assume.assumeTrue;

import org.junit.BeforeClass;
import org.junit.Ignore;
import org.junit.Test;

public class OutcomesTest {
    @BeforeClass
    public static void load() {
        Outcome.load();
    }

    @Test
    public void fails() { //~ failed expected:<1> but was:<2>
        Outcome.failed = 1; //~ POLLUTES changed outcomes.Outcome.failed: 0 -> 1
        assertEquals(1, 2);
    }

    @Test
    public void errs() { //~ error on purpose
        Outcome.erred = 1; //~ POLLUTES changed outcomes.Outcome.erred: 0 -> 1
        throw new IllegalStateException("on purpose");
    }

    @Test
    public void skipsItself() { //~ skipped
        Outcome.skipped = 1; //~ POLLUTES changed outcomes.Outcome.skipped: 0 -> 1
        assumeTrue(false);
    }

    @Test(expected = ArithmeticException.class)
    public void throwsAsExpected() { //~ passed
        Outcome.expected = 1; //~ POLLUTES changed outcomes.Outcome.expected: 0 -> 1
        assertEquals(0, 1 / (Outcome.expected - 1));
    }

    @Test(timeout = 10000)
    public void inATimeLimit() { //~ passed
        Outcome.timed = 1; //~ POLLUTES changed outcomes.Outcome.timed: 0 -> 1
    }

    @Test
    public void failsClean() { //~ failed only that
        //~ CLEAN
        throw new AssertionError("only that");
    }

    @Ignore("not run")
    @Test
    public void ignored() { //~ skipped not run
        //~ CLEAN strictly
        Outcome.failed = 100;
    }
}
