import static org.junit.Assert.assertTrue;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import org.junit.Test;

/** Says what it finds in its working folder. */
public class OutsideTest {
    @Test
    public void reads() throws Exception { //~ passed
        Path data = Paths.get("data.txt");
        System.out.println(Files.exists(data) ? "data is " + new String(Files.readAllBytes(data)) : "no data");
    }

    @Test
    public void lists() { //~ passed
        String[] names = new File("many").list();
        System.out.println(names == null ? "no names" : names.length + " names");
    }

    @Test
    public void writes() throws Exception { //~ passed
        File file = File.createTempFile("outside", null);
        assertTrue(file.delete());
    }
}
