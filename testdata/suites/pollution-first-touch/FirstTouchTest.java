// A class initialised during the test: what its own initialiser makes is its first state, what comes after pollutes.
package touch;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import org.junit.BeforeClass;
import org.junit.Test;

public class FirstTouchTest {
    @BeforeClass
    public static void load() {
        assertTrue(Before.loaded.isEmpty());
    }

    @Test
    public void raises() { //~ passed
        assertEquals(101, Counter.next());
        Counter.table.put("second", 2); //~ POLLUTES added touch.Counter.table["second"]: -> 2; collection-grew, first touch
    }

    @Test
    public void onlyInitialises() { //~ passed
        //~ CLEAN strictly
        assertEquals(4, Counter.Quiet.made);
        assertEquals(81, Counter.Quiet.squares[9]);
    }

    @Test
    public void initialiserWritesElsewhere() { //~ passed
        Counter.Loud.touch();
    }

    @Test
    public void nestedInitialisers() { //~ passed
        Counter.Outer.touch();
    }

    @Test
    public void initialiserThrows() { //~ passed
        //~ CLEAN
        assertThrows(ExceptionInInitializerError.class, Counter.Broken::touch);
        assertThrows(NoClassDefFoundError.class, Counter.Broken::touch);
    }

    @Test
    public void oldRootLeadsToANewClass() { //~ passed
        Before.newcomer = new Newcomer(); //~ POLLUTES changed touch.Before.newcomer: null -> _
        Newcomer.made++; //~ POLLUTES changed touch.Newcomer.made: 0 -> 1; counter, first touch
    }

    @Test
    public void oldRoot() { //~ passed
        Before.plain = 5; //~ POLLUTES changed touch.Before.plain: 0 -> 5
    }
}
