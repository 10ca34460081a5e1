package s4;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNotNull;
import static org.junit.Assert.assertTrue;
import static org.junit.Assert.fail;

import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.URL;
import java.net.UnknownHostException;
import org.junit.Test;

/** Exceptions that end the test, or are among the causes of what ends it; and those that do not. */
public class ThrownTest {
    //~ sanitised thrown java.net.ConnectException localhost:1
    @Test
    public void refused() throws IOException {
        new Socket("localhost", 1).close();
    }

    //~ sanitised thrown java.net.UnknownHostException nowhere.invalid:80
    @Test
    public void unknownHost() throws IOException {
        new Socket("nowhere.invalid", 80).close();
    }

    //~ sanitised thrown java.net.UnknownHostException nowhere.invalid
    @Test
    public void lookup() throws IOException {
        InetAddress.getByName("nowhere.invalid");
    }

    //~ sanitised thrown java.net.UnknownHostException www.nowhere.invalid:80
    @Test
    public void url() throws IOException {
        new URL("http://www.nowhere.invalid/").openStream().close();
    }

    //~ sanitised thrown java.net.ConnectException localhost:1
    @Test
    public void cause() {
        try {
            new Socket("localhost", 1).close();
        } catch (IOException e) {
            throw new IllegalStateException("no service", new RuntimeException(e));
        }
    }

    //~ sanitised thrown java.net.SocketException -
    @Test
    public void suppressed() throws Exception {
        Exception e = new Exception("first");
        e.addSuppressed(new SocketException("second"));
        throw e;
    }

    //~ sanitised thrown java.net.ConnectException localhost:1
    @Test
    public void assertionWithCause() {
        try {
            new Socket("localhost", 1).close();
        } catch (IOException e) {
            throw new AssertionError("should connect", e);
        }
    }

    //~ sanitised thrown s4.ThrownTest$OwnException -
    @Test
    public void subclass() throws IOException {
        throw new OwnException();
    }

    static class OwnException extends SocketException {
    }

    //~ passed
    @Test
    public void passing() {
        try {
            new Socket("localhost", 1).close();
            fail("nobody listens there");
        } catch (IOException expected) {
            assertNotNull(expected);
        }
    }

    //~ failed
    @Test
    public void unrelated() {
        assertEquals(1, 2);
    }

    //~ error
    @Test
    public void unrelatedError() throws IOException {
        throw new IOException("not of the network");
    }

    //~ sanitised thrown java.net.SocketException 192.0.2.1:80
    @Test
    public void unreachable() throws IOException {
        new Socket("192.0.2.1", 80).close();
    }

    //~ sanitised created java.net.UnknownHostException nowhere.invalid:80
    @Test
    public void unresolved() {
        assertTrue(!new InetSocketAddress("nowhere.invalid", 80).isUnresolved());
    }
}
