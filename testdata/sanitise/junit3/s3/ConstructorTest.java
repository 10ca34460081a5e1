package s3;

import java.io.IOException;
import java.net.Socket;
import junit.framework.TestCase;

/** JUnit 3 makes a failing test named "warning" of a constructor that throws. */
public class ConstructorTest extends TestCase {
    public ConstructorTest() throws IOException {
        new Socket("localhost", 1).close();
    }

    //~ warning sanitised created java.net.ConnectException localhost:1
    public void testNever() {
    }
}
