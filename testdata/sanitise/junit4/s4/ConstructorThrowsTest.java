package s4;

import java.io.IOException;
import java.net.Socket;
import org.junit.Test;

public class ConstructorThrowsTest {
    public ConstructorThrowsTest() throws IOException {
        new Socket("localhost", 1).close();
    }

    //~ sanitised thrown java.net.ConnectException localhost:1
    @Test
    public void never() {
    }
}
