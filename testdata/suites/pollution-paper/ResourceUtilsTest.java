// Of spark: the first URL of a protocol enters its handler into a table of java.net.URL.
package paper;

import static org.junit.Assert.assertEquals;

import java.net.URL;
import org.junit.BeforeClass;
import org.junit.Test;

public class ResourceUtilsTest {
    @BeforeClass
    public static void load() throws Exception {
        assertEquals("file", new URL("file:/some/where").getProtocol());
    }

    @Test
    public void getFile() throws Exception { //~ passed
        URL url = new URL("mailto:some@where"); //~ POLLUTES added java.net.URL.handlers["mailto"]; configuration, jdk
        assertEquals("mailto", url.getProtocol());
    }
}
