// What tests write is there for the tests, and gone when the run is over.
package files;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.Test;

public class FilesTest {
    @Test
    public void readsWhatItWrote() throws Exception { //~ passed
        Path file = Path.of("written.txt");
        assertFalse(Files.exists(file));
        Files.writeString(file, "text");
        assertEquals("text", Files.readString(file));
        Files.delete(file);
        Files.createDirectories(Path.of("left/behind"));
        Files.writeString(Path.of("left/behind/file.txt"), "stays until the end");
        assertTrue(Files.isDirectory(Path.of("left")));
    }

    @Test
    public void temporaryFiles() throws Exception { //~ passed
        Path temp = Files.createTempFile("poldet", ".tmp");
        Files.write(temp, List.of("a", "b"));
        assertEquals(2, Files.readAllLines(temp).size());
    }

    @Test
    public void aProgramThatIsNowhereIsJustMissing() throws Exception { //~ passed
        Files.createDirectories(Path.of("made"));
        ProcessBuilder builder = new ProcessBuilder(Path.of("no/such/program").toAbsolutePath().toString());
        try {
            builder.directory(Path.of("made").toFile()).start();
            throw new AssertionError("started");
        } catch (IOException e) {
            assertTrue(e.getMessage(), e.getMessage().contains("No such file or directory"));
        }
        Files.delete(Path.of("made"));
    }
}
