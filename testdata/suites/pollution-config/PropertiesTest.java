// System properties: set, changed, removed, and put back.
package config;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNull;

import org.junit.BeforeClass;
import org.junit.Test;

public class PropertiesTest {
    @BeforeClass
    public static void given() {
        System.setProperty("config.changed", "old"); //~ FIXTURE added java.lang.System.props["config.changed"]: -> "old"; configuration, jdk
        System.setProperty("config.removed", "old"); //~ FIXTURE added java.lang.System.props["config.removed"]: -> "old"; configuration, jdk
    }

    @Test
    public void set() { //~ passed
        System.setProperty("config.set", "new"); //~ POLLUTES added java.lang.System.props["config.set"]: -> "new"; configuration, jdk
    }

    @Test
    public void changed() { //~ passed
        System.setProperty("config.changed", "new"); //~ POLLUTES changed java.lang.System.props["config.changed"]: "old" -> "new"; configuration, jdk
    }

    @Test
    public void removed() { //~ passed
        System.clearProperty("config.removed"); //~ POLLUTES removed java.lang.System.props["config.removed"]: "old" ->; configuration, jdk
    }

    @Test
    public void setAndRemoved() { //~ passed
        //~ CLEAN
        System.setProperty("config.while", "new");
        assertEquals("new", System.getProperty("config.while"));
        System.clearProperty("config.while");
        assertNull(System.getProperty("config.while"));
    }

    @Test
    public void read() { //~ passed
        //~ CLEAN strictly
        assertNull(System.getProperty("config.never"));
    }
}
