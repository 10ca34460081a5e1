package fix;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNull;

import fix.app.Registry;
import java.util.ArrayList;
import java.util.List;
import org.junit.Test;

/** A cleaner in the same class, of which one statement inside of a block is needed, with the declarations that it uses. */
//~ expectsNothing victim polluter helper | Registry.register(name2, null);
//~ expectsNothing victim victim helper | Registry.register(name, null);
public class HelperTest {
    @Test
    public void registers() {
        String name = "helper";
        Registry.register(name, "set");
        assertEquals("set", Registry.find(name));
    }

    @Test
    public void expectsNothing() {
        assertNull(Registry.find("helper"));
    }

    @Test
    public void cleans() {
        List<String> log = new ArrayList<String>();
        String name = "hel" + "per";
        if (log.isEmpty()) {
            log.add("cleaning");
            Registry.register(name, null);
        }
        assertEquals(1, log.size());
    }
}
