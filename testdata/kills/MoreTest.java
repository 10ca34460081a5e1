import static org.junit.Assert.assertEquals;

import java.io.File;
import java.nio.file.Files;
import org.junit.Test;

/** The same again: tests that are at work for a while, leave files and start processes that do not end by themselves. */
public class MoreTest {
    private static final String MARK = System.getProperty("kill.mark");

    private static int work(int n) {
        int sum = 0;
        for (int i = 0; i < 3_000_000; i++) {
            sum = sum * 31 + (i ^ n);
        }
        return sum;
    }

    private static void leave(String command) throws Exception {
        new ProcessBuilder("/bin/sh", "-c", command).start().waitFor();
    }

    @Test
    public void a_computes() {
        assertEquals(work(1), work(1));
    }

    @Test
    public void b_leavesAProcess() throws Exception {
        leave("sleep " + MARK + " >/dev/null 2>&1 </dev/null &");
        assertEquals(work(2), work(2));
    }

    @Test
    public void c_writesFiles() throws Exception {
        for (int i = 0; i < 20; i++) {
            File file = File.createTempFile("kills", ".bin");
            Files.write(file.toPath(), new byte[10_000]);
        }
        assertEquals(work(3), work(3));
    }

    @Test
    public void d_leavesAnOrphan() throws Exception {
        leave("(setsid sleep " + MARK + " >/dev/null 2>&1 </dev/null &)");
        assertEquals(work(4), work(4));
    }

    @Test
    public void e_computes() {
        assertEquals(work(5), work(5));
    }
}
