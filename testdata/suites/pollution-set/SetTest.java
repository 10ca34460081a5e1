// What a program sets on purpose is found where the same field, looked up when first asked for, is not.
package set;

import java.util.logging.Level;
import java.util.logging.Logger;
import javax.net.ssl.SSLContext;
import org.junit.Test;

public class SetTest {
    @Test
    public void context() throws Exception { //~ passed
        SSLContext.setDefault(SSLContext.getInstance("TLS"));
        //~^ POLLUTES changed javax.net.ssl.SSLContext.defaultContext: null -> _; configuration, jdk, first touch
    }

    /** The first use of loggers: what logging sets up for itself is hidden, the logger that was asked for is not. */
    @Test
    public void logger() { //~ passed
        Logger.getLogger("silenced").setLevel(Level.OFF);
        //~^ POLLUTES added java.util.logging.LogManager.manager.userContext.namedLoggers["silenced"]; configuration, jdk, first touch
    }
}
