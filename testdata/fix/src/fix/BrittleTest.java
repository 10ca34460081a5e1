package fix;

import static org.junit.Assert.assertEquals;

import org.junit.Test;

/** A test that needs what another sets. */
//~ needsAUser brittle victim helper start | user = "root";
public class BrittleTest {
    static String user;

    @Test
    public void logsIn() {
        String name = "root";
        assertEquals(4, name.length());
        user = "root";
    }

    @Test
    public void needsAUser() {
        assertEquals("root", user);
    }
}
