import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNotEquals;
import static org.junit.Assert.assertTrue;
import static org.junit.Assert.fail;

import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.RandomAccessFile;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.Test;

/**
 * Ways out of a test, each with what must happen instead. The folder `escape.dir` holds real files; whoever runs this suite
 * checks afterwards that they are as they were, that nobody connected to `escape.port`, and that no process is left.
 */
public class EscapeTest {
    private static final Path DIR = Paths.get(System.getProperty("escape.dir"));
    private static final Path FILE = DIR.resolve("file.txt");

    /** Output and errors of a shell command, with its exit code in the first line. */
    private static String sh(String command) throws Exception {
        Process process = new ProcessBuilder("/bin/sh", "-c", command).redirectErrorStream(true).start();
        process.getOutputStream().close();
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        byte[] buffer = new byte[4096];
        InputStream in = process.getInputStream();
        for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
            all.write(buffer, 0, n);
        }
        return process.waitFor() + "\n" + all.toString("UTF-8").trim();
    }

    private static void refused(String command) throws Exception {
        String said = sh(command);
        assertFalse(command + ": " + said, said.startsWith("0\n"));
    }

    private static boolean has(String program) throws Exception {
        return sh("command -v " + program).startsWith("0\n");
    }

    private static String text(Path file) throws IOException {
        return new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
    }

    // Files, by every Java API: the test sees its own change, the real file stays.

    @Test
    public void streams() throws Exception {
        try (FileOutputStream out = new FileOutputStream(FILE.toFile(), true)) {
            out.write("more".getBytes());
        }
        assertTrue(text(FILE).endsWith("more"));
    }

    @Test
    public void randomAccess() throws Exception {
        try (RandomAccessFile file = new RandomAccessFile(FILE.toFile(), "rw")) {
            file.setLength(1);
            file.write('!');
        }
        assertEquals("!", text(FILE));
    }

    @Test
    public void channels() throws Exception {
        try (FileChannel channel = FileChannel.open(FILE, StandardOpenOption.WRITE)) {
            channel.truncate(0);
        }
        assertEquals(0, Files.size(FILE));
    }

    @Test
    public void mappings() throws Exception {
        Files.write(FILE, "0123".getBytes());
        try (FileChannel channel = FileChannel.open(FILE, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            MappedByteBuffer map = channel.map(FileChannel.MapMode.READ_WRITE, 0, 4);
            map.put(0, (byte) 'X');
            map.force();
        }
        assertEquals("X123", text(FILE));
    }

    @Test
    public void symbolicLinks() throws Exception {
        Path link = Files.createTempDirectory("escape").resolve("link");
        Files.createSymbolicLink(link, FILE);
        Files.write(link, "through a link".getBytes());
        assertEquals("through a link", text(FILE));
    }

    @Test
    public void hardLinks() throws Exception {
        Path link = DIR.resolve("hard");
        Files.createLink(link, FILE);
        Files.write(link, "through a name".getBytes());
        assertEquals("through a name", text(FILE));
    }

    @Test
    public void attributes() throws Exception {
        Files.setLastModifiedTime(FILE, FileTime.fromMillis(0));
        Files.setPosixFilePermissions(FILE, PosixFilePermissions.fromString("rw-------"));
        assertEquals(0, FILE.toFile().lastModified());
    }

    @Test
    public void renames() throws Exception {
        Files.move(DIR.resolve("folder"), DIR.resolve("elsewhere"));
        assertTrue(Files.exists(DIR.resolve("elsewhere/inner.txt")));
        assertFalse(Files.exists(DIR.resolve("folder")));
    }

    @Test
    public void deletes() throws Exception {
        Files.delete(FILE);
        assertFalse(FILE.toFile().exists());
    }

    @Test
    public void dotDot() throws Exception {
        Path up = Paths.get("/dev/shm/../.." + FILE);
        Files.write(up, "by another way".getBytes());
        assertEquals("by another way", text(FILE));
    }

    @Test
    public void sharedMemory() throws Exception {
        Path file = Paths.get("/dev/shm/escape-" + System.nanoTime());
        Files.write(file, new byte[10]);
        assertEquals(10, Files.size(file));
        Files.delete(file);
    }

    // The kernel's files.

    @Test
    public void memoryOfTheProcess() throws Exception {
        for (String name : Arrays.asList("/proc/self/mem", "/proc/thread-self/mem", "/proc/1/mem", "/proc/self/task/1/mem")) {
            for (String mode : Arrays.asList("r", "rw")) {
                try (RandomAccessFile memory = new RandomAccessFile(name, mode)) {
                    fail(name + " can be opened with " + mode);
                } catch (IOException expected) {
                }
            }
        }
    }

    @Test
    public void descriptorsOfTheProcess() throws Exception {
        File[] descriptors = new File("/proc/self/fd").listFiles();
        assertTrue(Arrays.toString(descriptors), descriptors == null || descriptors.length == 0);
    }

    @Test
    public void otherProcesses() throws Exception {
        List<String> seen = new ArrayList<>();
        try (DirectoryStream<Path> list = Files.newDirectoryStream(Paths.get("/proc"), "[0-9]*")) {
            for (Path process : list) {
                try {
                    seen.add(text(process.resolve("cmdline")));
                } catch (IOException gone) {
                }
            }
        }
        assertFalse(seen.toString(), seen.toString().contains("escape.dir"));
    }

    @Test
    public void settingsOfTheKernel() throws Exception {
        for (String name : Arrays.asList("/proc/sys/kernel/hostname", "/proc/self/oom_score_adj", "/proc/self/comm", "/sys/kernel/uevent_helper", "/proc/sysrq-trigger")) {
            if (new File(name).exists()) {
                try (FileOutputStream out = new FileOutputStream(name)) {
                    fail(name + " can be written");
                } catch (IOException expected) {
                }
            }
        }
    }

    @Test
    public void devices() throws Exception {
        for (String name : Arrays.asList("/dev/mem", "/dev/kmem", "/dev/port", "/dev/kmsg", "/dev/sda", "/dev/vda", "/dev/nvme0n1", "/dev/tty", "/dev/ptmx", "/dev/fuse", "/dev/kvm", "/dev/loop-control")) {
            try (RandomAccessFile device = new RandomAccessFile(name, "rw")) {
                fail(name + " can be opened");
            } catch (IOException expected) {
            }
        }
        try (RandomAccessFile device = new RandomAccessFile("/dev/null", "rw")) {
            device.write(1);
        }
        byte[] zeros = new byte[8];
        try (RandomAccessFile device = new RandomAccessFile("/dev/zero", "r")) {
            device.readFully(zeros);
        }
        assertArrayEquals(new byte[8], zeros);
    }

    // The network.

    @Test
    public void sockets() throws Exception {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), Integer.getInteger("escape.port"))) {
            fail("connected");
        } catch (IOException expected) {
        }
    }

    @Test
    public void socketsOfProcesses() throws Exception {
        if (has("bash")) {
            refused("bash -c 'exec 3<>/dev/tcp/127.0.0.1/" + Integer.getInteger("escape.port") + "'");
        }
        if (has("perl")) {
            refused("perl -MSocket -e 'socket(S,PF_UNIX,SOCK_STREAM,0) && connect(S, sockaddr_un(\"" + DIR + "/socket\")) or exit 1'");
            refused("perl -MSocket -e 'socket(S,PF_INET,SOCK_STREAM,0) && connect(S, sockaddr_in("
                    + Integer.getInteger("escape.port") + ", inet_aton(\"127.0.0.1\"))) or exit 1'");
        }
    }

    // Processes.

    @Test
    public void filesByProcesses() throws Exception {
        Path doomed = DIR.resolve("doomed.txt");
        String said = sh("echo changed > " + FILE + " && rm " + doomed + " && mkdir " + DIR.resolve("made"));
        // Where a process can be given the files of its test, they changed for the test; elsewhere nothing did.
        if (said.startsWith("0\n")) {
            assertEquals("changed\n", text(FILE));
            assertFalse(Files.exists(doomed));
            assertTrue(Files.isDirectory(DIR.resolve("made")));
        }
    }

    @Test
    public void filesOfTheTestByProcesses() throws Exception {
        Path file = Files.createTempFile("escape", ".txt");
        Files.write(file, "of the test".getBytes());
        assertEquals("0\nof the test", sh("cat " + file));
        assertEquals("0\n", sh("echo of the process > " + file + ".new"));
        assertEquals("of the process\n", text(Paths.get(file + ".new")));
        assertEquals("0\n", sh("rm " + file));
        assertFalse(Files.exists(file));
    }

    @Test
    public void signals() throws Exception {
        refused("kill -0 " + System.getProperty("escape.pid"));
        refused("kill -9 " + System.getProperty("escape.pid"));
    }

    @Test
    public void memoryOfOthers() throws Exception {
        refused("cat /proc/" + System.getProperty("escape.pid") + "/environ");
    }

    @Test
    public void descriptorsOfProcesses() throws Exception {
        // Three streams, and the folder that is being listed.
        assertEquals("0\n0\n1\n2\n3", sh("ls /proc/self/fd"));
    }

    @Test
    public void devicesByProcesses() throws Exception {
        refused("test -e /dev/kmsg -o -e /dev/mem -o -e /dev/vda -o -e /dev/sda");
        assertEquals("0\n", sh("echo x > /dev/null"));
    }

    @Test
    public void namespaces() throws Exception {
        if (has("unshare")) {
            refused("unshare --user --map-root-user true");
            refused("unshare --mount true");
        }
        if (has("mount")) {
            refused("mount -o remount,rw /");
            refused("mount -t tmpfs none " + DIR);
        }
    }

    @Test
    public void processesThatStay() throws Exception {
        String mark = System.getProperty("escape.mark");
        sh("sleep " + mark + " >/dev/null 2>&1 </dev/null &");
        if (has("setsid")) {
            sh("setsid sh -c 'setsid sleep " + mark + " & setsid sleep " + mark + " &' >/dev/null 2>&1 </dev/null");
        }
        sh("(trap '' HUP TERM INT; (sleep " + mark + " &) ) >/dev/null 2>&1 </dev/null");
        assertNotEquals("", mark);
    }
}
