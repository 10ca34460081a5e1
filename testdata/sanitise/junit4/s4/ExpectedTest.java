package s4;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.fail;

import java.io.IOException;
import java.net.ConnectException;
import java.net.Socket;
import java.net.SocketException;
import java.net.URL;
import java.net.UnknownHostException;
import org.junit.After;
import org.junit.Test;

/** What a test expects and gets excuses nothing; what it gets and does not expect does. */
public class ExpectedTest {
    private boolean broken;

    @After
    public void after() {
        if (broken) {
            throw new IllegalStateException("something else is wrong");
        }
    }

    //~ failed
    @Test
    public void assertThrowsThenFails() {
        assertThrows(ConnectException.class, () -> new Socket("localhost", 1).close());
        assertEquals(1, 2);
    }

    //~ failed
    @Test
    public void assertThrowsOfASuperclass() {
        assertThrows(IOException.class, () -> new URL("http://nowhere.invalid/").openStream().close());
        assertEquals(1, 2);
    }

    //~ failed
    @Test
    public void assertThrowsOfAWrapper() {
        assertThrows(IllegalStateException.class, () -> {
            try {
                new Socket("localhost", 1).close();
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        });
        assertEquals(1, 2);
    }

    //~ failed
    @Test
    public void assertThrowsAfterRetries() {
        assertThrows(IOException.class, () -> {
            for (int i = 0; ; i++) {
                try {
                    new Socket("localhost", 1).close();
                } catch (IOException e) {
                    if (i == 2) {
                        throw e;
                    }
                }
            }
        });
        assertEquals(1, 2);
    }

    //~ sanitised thrown java.net.ConnectException localhost:1
    @Test
    public void assertThrowsOfSomethingElse() {
        assertThrows(IllegalStateException.class, () -> new Socket("localhost", 1).close());
    }

    //~ error
    @Test(expected = ConnectException.class)
    public void expectedThenFails() throws IOException {
        broken = true;
        new Socket("localhost", 1).close();
    }

    //~ sanitised thrown java.net.ConnectException localhost:1
    @Test(expected = IllegalStateException.class)
    public void expectedSomethingElse() throws IOException {
        new Socket("localhost", 1).close();
    }

    //~ failed
    @Test
    public void tryFailCatch() {
        try {
            new Socket("localhost", 1).close();
            fail("nobody listens there");
        } catch (IOException expected) {
            // As it should be.
        }
        assertEquals(1, 2);
    }

    //~ sanitised created java.net.ConnectException localhost:1
    @Test
    public void tryCatchThatFailsSometimes() {
        boolean up = false;
        try {
            new Socket("localhost", 1).close();
            up = true;
            if (!up) {
                fail("cannot be");
            }
        } catch (IOException e) {
            up = false;
        }
        assertEquals(true, up);
    }

    //~ sanitised created java.net.ConnectException localhost:1
    @Test
    public void expectsOneAndGetsAnotherLater() {
        assertThrows(UnknownHostException.class, () -> new Socket("nowhere.invalid", 1).close());
        assertEquals("content", CreatedTest.fetch());
    }
}
