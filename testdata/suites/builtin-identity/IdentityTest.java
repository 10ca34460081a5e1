import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import java.io.File;
import java.net.InetAddress;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.nio.file.attribute.PosixFileAttributes;
import java.util.Date;
import java.util.Locale;
import java.util.Map;
import java.util.TimeZone;
import java.util.TreeMap;
import org.junit.Test;

/** What a test can learn about the machine and its user, printed so that reports of two machines can be compared. */
public class IdentityTest {
    static Object shown = new Object();

    private static void print(String what, Object value) {
        System.out.println(what + "=" + value);
    }

    @Test
    public void locale() { //~ passed
        print("number", String.format("%,.2f", 1234567.891));
        print("date", new Date(0));
        assertEquals(Locale.US, Locale.getDefault());
        assertEquals("UTF-8", Charset.defaultCharset().name());
        assertEquals("title", "TITLE".toLowerCase());
    }

    @Test
    public void zone() { //~ passed
        assertEquals("UTC", TimeZone.getDefault().getID());
    }

    @Test
    public void user() throws Exception { //~ passed
        assertEquals("user", System.getProperty("user.name"));
        assertEquals("/home/user", System.getProperty("user.home"));
        assertEquals("localhost", InetAddress.getLocalHost().getHostName());
        print("os", System.getProperty("os.version"));
        print("memory", Runtime.getRuntime().maxMemory() > 0);
    }

    @Test
    public void environment() { //~ passed
        Map<String, String> variables = new TreeMap<>(System.getenv());
        variables.remove("PWD");
        print("variables", variables);
        assertEquals("user", variables.get("USER"));
        assertFalse(variables.containsKey("CARGO"));
    }

    @Test
    public void homeCanBeUsed() throws Exception { //~ passed
        Path home = Paths.get(System.getProperty("user.home"));
        assertTrue(Files.isDirectory(home));
        Path file = Files.write(home.resolve(".config-of-test"), new byte[3]);
        assertEquals(3, Files.size(file));
        assertEquals("user", Files.getOwner(file).getName());
        assertEquals(home.resolve(".config-of-test"), file.toRealPath());
        Files.delete(file);
    }

    @Test
    public void temporaryFiles() throws Exception { //~ passed
        File file = File.createTempFile("identity", ".txt");
        assertEquals("/tmp", file.getParent());
        PosixFileAttributes attributes = Files.readAttributes(file.toPath(), PosixFileAttributes.class);
        print("owner", attributes.owner() + " " + attributes.group());
        file.delete();
    }

    @Test
    public void identityHash() { //~ failed java.lang.Object@
        // Follows from all that was allocated before.
        throw new AssertionError(shown.toString() + System.getProperty("java.class.path").replaceAll("[^:]*/classes", "CLASSES"));
    }
}
