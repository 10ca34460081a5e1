// What runs once for a class belongs to the class, not to the test beside it.
package fixtures;

import static org.junit.Assert.assertEquals;

import org.junit.AfterClass;
import org.junit.BeforeClass;
import org.junit.Test;

public class OnceFixtureTest {
    static String given;

    @BeforeClass
    public static void beforeAll() {
        given = "set up"; //~ FIXTURE changed fixtures.OnceFixtureTest.given: null -> "set up"; first touch
        Shared.classes++; //~ FIXTURE changed fixtures.Shared.classes: 0 -> 1; counter
    }

    @AfterClass
    public static void afterAll() {
        Shared.atTheEnd = 7; //~ FIXTURE changed fixtures.Shared.atTheEnd: 0 -> 7
    }

    @Test
    public void reads() { //~ passed
        //~ CLEAN strictly
        assertEquals("set up", given);
    }

    @Test
    public void writes() { //~ passed
        Shared.log += "written"; //~ POLLUTES changed fixtures.Shared.log: "" -> "written"
    }

    @Test
    public void readsAgain() { //~ passed
        //~ CLEAN strictly
        assertEquals(1, Shared.classes);
    }
}
