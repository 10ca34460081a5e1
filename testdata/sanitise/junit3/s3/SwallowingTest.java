package s3;

import junit.framework.TestCase;

/** JUnit 3 makes all instances before the first test runs. */
public class SwallowingTest extends TestCase {
    private final String content = OldTest.fetch();

    //~ sanitised created java.net.ConnectException localhost:1
    public void testContent() {
        assertNotNull(content);
    }

    //~ passed
    public void testNothing() {
    }
}
