package s4;

import java.io.IOException;
import java.net.Socket;
import org.junit.Test;

/** The second test meets a class that could not be initialised for want of a network. */
public class InitializerTest {
    static class Client {
        static final Client INSTANCE = new Client();

        Client() {
            try {
                new Socket("localhost", 1).close();
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    //~ sanitised thrown java.net.ConnectException localhost:1
    @Test
    public void first() {
        Client.INSTANCE.hashCode();
    }

    //~ sanitised thrown java.net.ConnectException localhost:1
    @Test
    public void second() {
        Client.INSTANCE.hashCode();
    }
}
