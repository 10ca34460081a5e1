import static org.junit.Assert.assertEquals;
import static org.junit.Assert.fail;

import java.io.File;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.StandardOpenOption;
import org.junit.Test;

public class FullTest {
    private static final byte[] CHUNK = new byte[1 << 16];

    @Test
    public void a_littleIsFine() throws Exception { //~ passed
        File file = File.createTempFile("full", ".bin");
        try (FileOutputStream out = new FileOutputStream(file)) {
            for (int i = 0; i < 32; i++) {
                out.write(CHUNK);
            }
        }
        assertEquals(32L << 16, file.length());
    }

    @Test
    public void b_overAndOverIsFine() throws Exception { //~ passed
        for (int i = 0; i < 200; i++) {
            File file = File.createTempFile("full", ".bin");
            Files.write(file.toPath(), CHUNK);
            file.delete();
        }
    }

    @Test
    public void c_tooMuch() throws Exception { //~ unsupported the overlay is full: there is room for 4194304 bytes
        File file = File.createTempFile("full", ".bin");
        try (FileOutputStream out = new FileOutputStream(file)) {
            for (int i = 0; i < 1000; i++) {
                out.write(CHUNK);
            }
        } catch (IOException e) {
            fail("a test does not fail for the size of the overlay");
        }
    }

    @Test
    public void d_tooMuchByChannel() throws Exception { //~ unsupported the overlay is full
        File file = File.createTempFile("full", ".bin");
        try (FileChannel channel = FileChannel.open(file.toPath(), StandardOpenOption.WRITE)) {
            for (int i = 0; i < 1000; i++) {
                channel.write(ByteBuffer.wrap(CHUNK));
            }
        }
    }

    @Test
    public void e_fullDeviceIsTheTestsOwn() throws Exception { //~ passed
        try (FileOutputStream out = new FileOutputStream("/dev/full")) {
            out.write(CHUNK);
            fail("written");
        } catch (IOException e) {
            assertEquals("No space left on device", e.getMessage());
        }
    }

    @Test
    public void f_theRestIsFine() throws Exception { //~ passed
        Files.write(File.createTempFile("full", ".bin").toPath(), CHUNK);
    }
}
