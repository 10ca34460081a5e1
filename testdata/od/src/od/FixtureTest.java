package od;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.BeforeClass;
import org.junit.Test;

/** State that a class fixture makes for all tests of the class. */
public class FixtureTest {
    static List<String> names;
    static int count;

    @BeforeClass
    public static void makes() {
        names = new ArrayList<String>();
        count = 1;
    }

    //~ independent
    @Test
    public void addsAName() {
        names.add("a");
    }

    //~ independent
    @Test
    public void counts() {
        count = 2;
    }

    //~ victim
    //~ polluter od.FixtureTest#addsAName state od.FixtureTest.names cleaners
    @Test
    public void expectsNoNames() {
        assertTrue(names.isEmpty());
    }

    //~ victim
    //~ polluter od.FixtureTest#counts state od.FixtureTest.count cleaners
    @Test
    public void expectsOne() {
        assertEquals(1, count);
    }
}
