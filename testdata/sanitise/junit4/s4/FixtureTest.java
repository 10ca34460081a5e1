package s4;

import java.io.IOException;
import java.net.Socket;
import org.junit.BeforeClass;
import org.junit.Test;

/** The row of the class is skipped. */
//~ class sanitised thrown java.net.ConnectException localhost:1
public class FixtureTest {
    @BeforeClass
    public static void connect() throws IOException {
        new Socket("localhost", 1).close();
    }

    @Test
    public void never() {
    }
}
