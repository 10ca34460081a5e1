// The ways a file can be written, and what is put back.
package ways;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.io.BufferedWriter;
import java.io.File;
import java.io.FileOutputStream;
import java.io.FileWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.AfterClass;
import org.junit.BeforeClass;
import org.junit.FixMethodOrder;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;
import org.junit.runners.MethodSorters;

@FixMethodOrder(MethodSorters.NAME_ASCENDING)
public class WaysTest {
    static final Path DIR = Path.of("ways");
    static OutputStream log;

    @Rule
    public TemporaryFolder temporary = new TemporaryFolder();

    @BeforeClass
    public static void given() throws Exception {
        Files.createDirectories(DIR.resolve("tree/inner"));
        for (String name : "access shorter channel mapped copied swapped restored tree/one tree/inner/two".split(" ")) {
            Files.writeString(DIR.resolve(name), "old " + name);
        }
        // The time zone, and the hook that deletes at the end, are there from now on.
        new ZipEntry("entry").setTime(System.currentTimeMillis());
        DIR.resolve("never").toFile().deleteOnExit();
        //~ FIXTURE any
    }

    @AfterClass
    public static void left() throws Exception {
        Files.writeString(Path.of("left-behind"), "x");
        log.close();
    }

    @Test
    public void aRandomAccessFile() throws Exception { //~ passed
        try (RandomAccessFile file = new RandomAccessFile("ways/access", "rw")) {
            file.seek(2);
            file.write('X'); //~ FILE changed ways/access
            file.write('Y');
        }
    }

    @Test
    public void aShorterFile() throws Exception { //~ passed
        try (RandomAccessFile file = new RandomAccessFile("ways/shorter", "rw")) {
            file.setLength(1); //~ FILE changed ways/shorter
        }
    }

    @Test
    public void aChannel() throws Exception { //~ passed
        try (FileChannel channel = FileChannel.open(DIR.resolve("channel"), StandardOpenOption.WRITE)) {
            channel.write(ByteBuffer.wrap(new byte[] {1, 2}), 1); //~ FILE changed ways/channel
        }
    }

    @Test
    public void aChannelToAnother() throws Exception { //~ passed
        try (FileChannel from = FileChannel.open(DIR.resolve("restored"));
                FileOutputStream to = new FileOutputStream("ways/transferred")) { //~ FILE created ways/transferred
            assertEquals(from.size(), from.transferTo(0, from.size(), to.getChannel()));
        }
    }

    @Test
    public void aMapping() throws Exception { //~ passed
        // Who writes to memory is not seen; who mapped it is.
        try (RandomAccessFile file = new RandomAccessFile("ways/mapped", "rw")) {
            MappedByteBuffer bytes = file.getChannel().map(FileChannel.MapMode.READ_WRITE, 0, 3); //~ FILE changed ways/mapped
            bytes.put(0, (byte) 'O');
        }
    }

    @Test
    public void aBufferedWriter() throws Exception { //~ passed
        BufferedWriter out = new BufferedWriter(new FileWriter("ways/buffered")); //~ FILE created ways/buffered
        out.write("text");
        out.close();
    }

    @Test
    public void aPrintStream() throws Exception { //~ passed
        PrintStream out = new PrintStream("ways/printed"); //~ FILE created ways/printed
        out.println("text");
        out.close();
    }

    @Test
    public void anArchive() throws Exception { //~ passed
        try (ZipOutputStream zip =
                new ZipOutputStream(Files.newOutputStream(DIR.resolve("a.zip")))) { //~ FILE created ways/a.zip
            zip.putNextEntry(new ZipEntry("entry"));
            zip.write(1);
            zip.closeEntry();
        }
    }

    @Test
    public void aCopyOverAFile() throws Exception { //~ passed
        Path from = DIR.resolve("restored");
        Files.copy(from, DIR.resolve("copied"), StandardCopyOption.REPLACE_EXISTING); //~ FILE changed ways/copied
    }

    @Test
    public void aFileSwappedIn() throws Exception { //~ passed
        Path fresh = DIR.resolve("swapped.new");
        Files.writeString(fresh, "other");
        Files.move(fresh, DIR.resolve("swapped"), StandardCopyOption.ATOMIC_MOVE); //~ FILE changed ways/swapped
    }

    @Test
    public void aLink() throws Exception { //~ passed
        Files.createSymbolicLink(DIR.resolve("link"), Path.of("restored")); //~ FILE created ways/link
    }

    @Test
    public void aSecondName() throws Exception { //~ passed
        Files.createLink(DIR.resolve("name"), DIR.resolve("restored")); //~ FILE created ways/name
    }

    @Test
    public void aTree() throws Exception { //~ passed
        Path inner = DIR.resolve("new/a/b");
        Files.createDirectories(inner); //~ FILE created ways/new
        Files.createFile(inner.resolve("file")); //~ FILE created ways/new/a/b/file
    }

    @Test
    public void aTreeMoved() throws Exception { //~ passed
        Files.move(DIR.resolve("tree"), DIR.resolve("moved")); //~ FILE removed ways/tree
        //~^ FILE removed ways/tree/one
        //~^^ FILE removed ways/tree/inner/two
        //~^^^ FILE created ways/moved
        //~^^^^ FILE created ways/moved/one
        //~^^^^^ FILE created ways/moved/inner/two
    }

    @Test
    public void byAnotherThread() throws Exception { //~ passed
        Thread thread = new Thread(() -> {
            try {
                Files.writeString(DIR.resolve("threaded"), "x"); //~ FILE created ways/threaded
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        });
        thread.start();
        thread.join();
    }

    @Test
    public void aHelper() throws Exception { //~ passed
        write("helped");
    }

    private static void write(String name) throws IOException {
        Files.writeString(DIR.resolve(name), "x"); //~ FILE #aHelper created ways/helped
    }

    @Test
    public void deletedOnlyAtTheEnd() throws Exception { //~ passed
        File file = new File("ways/at-exit");
        assertTrue(file.createNewFile()); //~ FILE created ways/at-exit
        file.deleteOnExit(); //~ POLLUTES added java.io.DeleteOnExitHook.files[1]
    }

    @Test
    public void log1Opened() throws Exception { //~ passed
        log = new FileOutputStream("ways/log"); //~ FILE created ways/log
        //~^ POLLUTES changed ways.WaysTest.log
    }

    @Test
    public void log2Written() throws Exception { //~ passed
        log.write(1); //~ FILE changed ways/log
        log.write(2);
    }

    @Test
    public void log3Untouched() { //~ passed
        //~ CLEAN
        assertTrue(log != null);
    }

    @Test
    public void writtenAndRestored() throws Exception { //~ passed
        //~ CLEAN
        Path file = DIR.resolve("restored");
        byte[] old = Files.readAllBytes(file);
        Files.writeString(file, "something else");
        Files.write(file, old);
    }

    @Test
    public void deletedAndRestored() throws Exception { //~ passed
        //~ CLEAN
        Path file = DIR.resolve("restored");
        byte[] old = Files.readAllBytes(file);
        Files.delete(file);
        Files.write(file, old);
    }

    @Test
    public void movedThereAndBack() throws Exception { //~ passed
        //~ CLEAN
        Files.move(DIR.resolve("restored"), DIR.resolve("away"));
        Files.move(DIR.resolve("away"), DIR.resolve("restored"));
    }

    @Test
    public void inTheTemporaryFolder() throws Exception { //~ passed
        //~ CLEAN
        Files.writeString(temporary.newFile().toPath(), "x");
        Files.writeString(temporary.newFolder("a").toPath().resolve("b"), "x");
    }

    @Test
    public void toADevice() throws Exception { //~ passed
        //~ CLEAN
        try (FileOutputStream out = new FileOutputStream("/dev/null")) {
            out.write(1);
        }
    }

    @Test
    public void onlyTimesAndRights() throws Exception { //~ passed
        //~ CLEAN
        File file = new File("ways/restored");
        assertTrue(file.setLastModified(1_000_000));
        assertTrue(file.setReadable(true));
    }
}
