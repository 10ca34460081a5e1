package runners;

import static org.junit.Assert.assertTrue;
import static org.junit.Assume.assumeTrue;

import org.junit.Test;
import org.junit.experimental.theories.DataPoint;
import org.junit.experimental.theories.DataPoints;
import org.junit.experimental.theories.Theories;
import org.junit.experimental.theories.Theory;
import org.junit.experimental.theories.suppliers.TestedOn;
import org.junit.runner.RunWith;

@RunWith(Theories.class)
public class TheoryTest {
    @DataPoints public static final int[] NUMBERS = {1, 2, 3};
    @DataPoint public static final String WORD = "word";

    @Theory
    public void sumsGrow(int a, int b) { //~ passed
        assertTrue(a + b > a);
    }

    @Theory
    public void orders(int a, int b) { //~ failed org.junit.experimental.theories.internal.ParameterizedAssertionError
        assertTrue(a <= b);
    }

    @Theory
    public void nothingFits(int a) { //~ failed Never found parameters that satisfied method assumptions
        assumeTrue(a > 100);
    }

    @Theory
    public void mixed(String word, @TestedOn(ints = {4, 5}) int n) { //~ passed
        assertTrue(word.length() <= n);
    }

    @Test
    public void plain() { //~ passed
    }
}
