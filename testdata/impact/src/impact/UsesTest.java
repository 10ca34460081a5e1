package impact;

import static org.junit.Assert.assertTrue;

import java.net.ServerSocket;
import org.junit.Test;

/** Depends on what is no state of the program. */
public class UsesTest {
    @Test
    public void looksAtTheClock() {
        assertTrue(System.currentTimeMillis() > 0);
    }

    @Test
    public void asksForAnIdentityHash() {
        assertTrue(System.identityHashCode(this) >= 0);
    }

    @Test
    public void opensASocket() throws Exception {
        try (ServerSocket socket = new ServerSocket(0)) {
            assertTrue(socket.getLocalPort() > 0);
        }
    }

    @Test
    public void readsTheEnvironment() {
        assertTrue(System.getenv("NO_SUCH_VARIABLE") == null);
    }

    @Test
    public void usesNothing() {
        assertTrue(1 + 1 == 2);
    }
}
