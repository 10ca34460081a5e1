package s3;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.UnknownHostException;
import junit.framework.TestCase;

/** The same for JUnit 3, which has only try and fail to expect an exception. */
public class OldTest extends TestCase {
    static String fetch() {
        try {
            new Socket("localhost", 1).close();
            return "content";
        } catch (IOException e) {
            return null;
        }
    }

    //~ sanitised thrown java.net.ConnectException localhost:1
    public void testThrown() throws IOException {
        new Socket("localhost", 1).close();
    }

    //~ sanitised created java.net.ConnectException localhost:1
    public void testCreated() {
        assertNotNull(fetch());
    }

    //~ sanitised created java.net.UnknownHostException nowhere.invalid
    public void testMadeByANative() {
        boolean up = true;
        try {
            InetAddress.getByName("nowhere.invalid");
        } catch (UnknownHostException e) {
            up = false;
        }
        assertTrue(up);
    }

    //~ sanitised created java.net.ConnectException localhost:1
    public void testInAThread() throws Exception {
        final String[] content = new String[1];
        Thread thread = new Thread() {
            @Override
            public void run() {
                content[0] = fetch();
            }
        };
        thread.start();
        thread.join();
        assertNotNull(content[0]);
    }

    //~ failed
    public void testExpected() {
        try {
            new Socket("localhost", 1).close();
            fail("nobody listens there");
        } catch (IOException expected) {
            assertNotNull(expected);
        }
        assertEquals(1, 2);
    }

    //~ failed
    public void testNeverThrown() {
        assertEquals("x", new SocketException("only made").getMessage());
    }

    //~ failed
    public void testUnrelated() {
        assertEquals(1, 2);
    }

    //~ passed
    public void testPassing() {
        assertNull(fetch());
    }
}
