package s4;

import java.io.IOException;
import java.net.Socket;
import org.junit.Before;
import org.junit.Test;

/** Fixtures around each test are part of it. */
public class BeforeTest {
    @Before
    public void connect() throws IOException {
        new Socket("localhost", 1).close();
    }

    //~ sanitised thrown java.net.ConnectException localhost:1
    @Test
    public void never() {
    }
}
