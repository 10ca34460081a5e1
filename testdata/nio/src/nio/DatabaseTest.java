package nio;

import static org.junit.Assert.assertEquals;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.nio.file.StandardOpenOption;
import org.junit.Before;
import org.junit.Test;

/** A database kept in a file, filled by the set-up of each run: figure 5 of the paper. */
public class DatabaseTest {
    private static final Path FILE = Paths.get("/tmp/poldet-nio-database.txt");

    @Before
    public void createUsers() throws IOException {
        for (String user : new String[] {"Bob", "Barbara", "Anton"}) {
            byte[] line = (user + "\n").getBytes(StandardCharsets.UTF_8);
            Files.write(FILE, line, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        }
    }

    //~ nio file:/tmp/poldet-nio-database.txt
    @Test
    public void noWhere() throws IOException {
        assertEquals(3, Files.readAllLines(FILE, StandardCharsets.UTF_8).size());
    }
}
