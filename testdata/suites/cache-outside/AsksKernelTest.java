import static org.junit.Assert.assertTrue;

import java.nio.file.Files;
import java.nio.file.Paths;
import org.junit.Test;

/** What the kernel says is another thing the next time. */
public class AsksKernelTest {
    @Test
    public void asks() throws Exception { //~ passed
        assertTrue(Files.readAllBytes(Paths.get("/proc/uptime")).length > 0);
    }
}
