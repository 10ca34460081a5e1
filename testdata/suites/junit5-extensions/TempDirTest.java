package extensions;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

@TestMethodOrder(MethodOrderer.MethodName.class)
class TempDirTest {
    static Path earlier;
    @TempDir Path field;

    @Test
    void a_writes(@TempDir File parameter) throws Exception { //~ passed
        earlier = field;
        Path file = Files.createDirectories(field.resolve("x/y")).resolve("z.txt");
        Files.writeString(file, "here");
        assertEquals("here", Files.readString(file));
        assertTrue(parameter.isDirectory());
    }

    @Test
    void b_isGone() { //~ passed
        assertFalse(Files.exists(earlier));
        assertTrue(Files.isDirectory(field));
    }
}
