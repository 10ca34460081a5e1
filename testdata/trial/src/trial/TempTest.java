package trial;

import static org.junit.Assert.assertTrue;

import java.io.File;
import java.nio.file.Files;
import org.junit.AfterClass;
import org.junit.BeforeClass;
import org.junit.Ignore;
import org.junit.Test;

/** Its class fixtures make a file and remove it again, as temporary folders do. */
public class TempTest {
    private static File file;

    @BeforeClass
    public static void create() throws Exception {
        file = Files.createTempFile("trial", ".txt").toFile();
    }

    @AfterClass
    public static void remove() throws Exception {
        Files.delete(file.toPath());
        file = null;
    }

    @Test
    public void isThere() {
        assertTrue(file.exists());
    }

    @Ignore("not yet")
    @Test
    public void later() {
    }
}
