package od;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNotNull;

import org.junit.Test;

/** A brittle and its state-setters (figure 2 of iFixFlakies). */
public class UserTest {
    //~ brittle
    //~ setter od.UserTest#logsIn state od.Config.user
    //~ setter od.UserTest#logsInAsRoot state od.Config.user
    @Test
    public void needsSomeUser() {
        assertNotNull(Config.user);
    }

    //~ brittle
    //~ setter od.UserTest#logsInAsRoot state od.Config.user
    @Test
    public void needsRoot() {
        assertEquals("root", Config.user);
    }

    //~ independent
    @Test
    public void logsIn() {
        Config.user = "guest";
    }

    //~ independent
    @Test
    public void logsInAsRoot() {
        Config.user = "root";
    }
}
