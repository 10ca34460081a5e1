// The factory of URL handlers can be set once in the life of a JVM.
package config;

import java.net.URL;
import org.junit.BeforeClass;
import org.junit.Test;

public class UrlHandlersTest {
    @BeforeClass
    public static void load() throws Exception {
        new URL("file:/some/where");
    }

    @Test
    public void factory() { //~ passed
        URL.setURLStreamHandlerFactory(protocol -> null);
        //~^ POLLUTES changed java.net.URL.factory: null -> _; configuration, jdk
        //~^^ POLLUTES removed java.net.URL.handlers["file"]; configuration, jdk
    }
}
