// The conditions Surefire sets for a suite: assertions on, properties and options of the command line.
package conditions;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNotNull;
import static org.junit.Assert.assertTrue;

import java.io.File;
import org.junit.Test;

public class ConditionsTest {
    @Test
    public void assertionsAreOn() { //~ passed
        boolean on = false;
        assert on = true;
        assertTrue(on);
    }

    @Test
    public void propertyOfTheCommandLine() { //~ passed
        assertEquals("from outside", System.getProperty("conditions.given"));
    }

    @Test
    public void workingDirectory() { //~ passed
        assertEquals(new File("").getAbsolutePath(), System.getProperty("user.dir"));
    }

    @Test
    public void openedPackage() throws Exception { //~ passed
        var field = String.class.getDeclaredField("hash");
        field.setAccessible(true);
        assertNotNull(field.get("x"));
    }

    @Test
    public void closedPackage() throws Exception { //~ error java.lang.reflect.InaccessibleObjectException
        java.util.ArrayList.class.getDeclaredField("size").setAccessible(true);
    }

    @Test
    public void resourcesOfTheSuite() { //~ passed
        assertNotNull(ConditionsTest.class.getResource("ConditionsTest.class"));
    }

    @Test
    public void contextClassLoader() throws Exception { //~ passed
        ClassLoader context = Thread.currentThread().getContextClassLoader();
        assertEquals(ConditionsTest.class, context.loadClass("conditions.ConditionsTest"));
    }

    @Test
    public void identityHash() { //~ passed
        System.out.println(System.identityHashCode(new Object()));
    }
}
