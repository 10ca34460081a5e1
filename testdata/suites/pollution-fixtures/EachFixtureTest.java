// What runs around each test belongs to that test.
package fixtures;

import static org.junit.Assert.assertEquals;

import org.junit.After;
import org.junit.Before;
import org.junit.BeforeClass;
import org.junit.Test;

public class EachFixtureTest {
    private String text;

    @BeforeClass
    public static void load() {
        assertEquals(0, Shared.before);
    }

    @Before
    public void open() {
        text = "own";
        Shared.before++; //~ POLLUTES #first changed fixtures.Shared.before; counter
        //~^ POLLUTES #second changed fixtures.Shared.before; counter
        Shared.opened.add("opened");
    }

    @After
    public void close() {
        Shared.opened.remove("opened");
        Shared.after += 2; //~ POLLUTES #first changed fixtures.Shared.after
        //~^ POLLUTES #second changed fixtures.Shared.after
    }

    @Test
    public void first() { //~ passed
        assertEquals("own", text);
        Shared.cleaned = 5;
        Shared.cleaned = 0;
    }

    @Test
    public void second() { //~ passed
        Shared.left.add("left"); //~ POLLUTES added fixtures.Shared.left[0]: -> "left"; collection-grew
    }
}
