package s4;

import static org.junit.Assert.assertNotNull;

import org.junit.Test;

/** A constructor belongs to the test whose instance it makes. */
public class ConstructorTest {
    private final String content = CreatedTest.fetch();

    //~ sanitised created java.net.ConnectException localhost:1
    @Test
    public void swallowed() {
        assertNotNull(content);
    }

    //~ passed
    @Test
    public void passing() {
    }
}
