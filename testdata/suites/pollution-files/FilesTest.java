// Files and folders that a test creates, changes or removes and does not put back.
package files;

import static org.junit.Assert.assertTrue;

import java.io.File;
import java.io.FileOutputStream;
import java.io.FileWriter;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.BeforeClass;
import org.junit.Test;

public class FilesTest {
    @BeforeClass
    public static void given() throws Exception {
        Files.writeString(Path.of("changed.txt"), "old");
        Files.writeString(Path.of("appended.txt"), "old");
        Files.writeString(Path.of("removed.txt"), "old");
        Files.writeString(Path.of("moved.txt"), "old");
        Files.writeString(Path.of("same.txt"), "same");
        Files.createDirectory(Path.of("emptied"));
        //~ FIXTURE any
    }

    @Test
    public void creates() throws Exception { //~ passed
        Files.writeString(Path.of("created.txt"), "new"); //~ FILE created created.txt
    }

    @Test
    public void createsByAStream() throws Exception { //~ passed
        try (FileOutputStream out = new FileOutputStream("stream.bin")) { //~ FILE created stream.bin
            out.write(1);
        }
    }

    @Test
    public void changes() throws Exception { //~ passed
        Files.writeString(Path.of("changed.txt"), "new"); //~ FILE changed changed.txt
    }

    @Test
    public void appends() throws Exception { //~ passed
        try (FileWriter out = new FileWriter("appended.txt", true)) {
            out.write("more");
        } //~ FILE changed appended.txt
    }

    @Test
    public void removes() throws Exception { //~ passed
        Files.delete(Path.of("removed.txt")); //~ FILE removed removed.txt
    }

    @Test
    public void moves() throws Exception { //~ passed
        Files.move(Path.of("moved.txt"), Path.of("moved-here.txt")); //~ FILE removed moved.txt
        //~^ FILE created moved-here.txt
    }

    @Test
    public void makesAFolder() { //~ passed
        assertTrue(new File("folder").mkdir()); //~ FILE created folder
    }

    @Test
    public void removesAFolder() { //~ passed
        assertTrue(new File("emptied").delete()); //~ FILE removed emptied
    }

    @Test
    public void leavesATemporaryFile() throws Exception { //~ passed
        Path file = Files.createTempFile("left", ".tmp"); //~ FILE created left*.tmp
        assertTrue(Files.exists(file));
    }

    @Test
    public void deletesItsTemporaryFile() throws Exception { //~ passed
        //~ CLEAN
        Path file = Files.createTempFile("gone", ".tmp");
        Files.writeString(file, "x");
        Files.delete(file);
    }

    @Test
    public void deletesItsFolder() throws Exception { //~ passed
        //~ CLEAN
        Path folder = Files.createDirectory(Path.of("for-a-while"));
        Files.writeString(folder.resolve("file"), "x");
        Files.delete(folder.resolve("file"));
        Files.delete(folder);
    }

    @Test
    public void writesTheSame() throws Exception { //~ passed
        //~ CLEAN
        Files.writeString(Path.of("same.txt"), "same");
    }

    @Test
    public void opensOnly() throws Exception { //~ passed
        //~ CLEAN
        try (RandomAccessFile file = new RandomAccessFile("same.txt", "rw")) {
            assertTrue(file.length() == 4);
        }
    }

    @Test
    public void reads() throws Exception { //~ passed
        //~ CLEAN
        assertTrue(Files.readString(Path.of("same.txt")).startsWith("s"));
    }
}
