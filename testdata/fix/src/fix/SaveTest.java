package fix;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.TimeZone;
import org.junit.Test;

/** State of the JDK and of the tests: saved and restored, removed, or set to what it was. */
//~ speaksEnglish victim polluter synthesised | Locale.setDefault(savedLocale);
//~ isInUtc victim polluter synthesised around | TimeZone.setDefault(savedTimeZone);
//~ expectsNoProperty victim polluter synthesised | System.clearProperty("fix.colour");
//~ expectsTheRealOut victim polluter synthesised | System.setOut(savedOut);
//~ expectsTheField victim polluter synthesised | limit = 10;
//~ expectsAnEmptyList victim polluter synthesised | names.clear();
//~ expectsNoSession victim polluter synthesised | SESSION.remove();
//~ expectsNoFile victim polluter synthesised | new File(System.getProperty("java.io.tmpdir"), "poldet-fix-marker").delete();
public class SaveTest {
    static int limit = 10;
    static final List<String> names = new ArrayList<String>();
    static final ThreadLocal<String> SESSION = new ThreadLocal<String>();
    static final PrintStream OUT = System.out;

    @Test
    public void goesToFrance() {
        Locale.setDefault(Locale.FRANCE);
    }

    @Test
    public void speaksEnglish() {
        assertEquals("en", Locale.getDefault().getLanguage());
    }

    @Test
    public void goesToTokyo() {
        TimeZone.setDefault(TimeZone.getTimeZone("Asia/Tokyo"));
    }

    @Test
    public void isInUtc() {
        assertEquals(0, TimeZone.getDefault().getRawOffset());
    }

    @Test
    public void setsAProperty() {
        System.setProperty("fix.colour", "red");
    }

    @Test
    public void expectsNoProperty() {
        assertNull(System.getProperty("fix.colour"));
    }

    @Test
    public void capturesOutput() {
        System.setOut(new PrintStream(new ByteArrayOutputStream()));
    }

    @Test
    public void expectsTheRealOut() {
        assertTrue(System.out == OUT);
    }

    @Test
    public void lowersTheLimit() {
        limit = 1;
    }

    @Test
    public void expectsTheField() {
        assertEquals(10, limit);
    }

    @Test
    public void addsANames() {
        names.add("a");
        names.add("b");
    }

    @Test
    public void expectsAnEmptyList() {
        assertTrue(names.isEmpty());
    }

    @Test
    public void opensASession() {
        SESSION.set("open");
    }

    @Test
    public void expectsNoSession() {
        assertNull(SESSION.get());
    }

    @Test
    public void leavesAFile() throws IOException {
        assertTrue(new File(System.getProperty("java.io.tmpdir"), "poldet-fix-marker").createNewFile());
    }

    @Test
    public void expectsNoFile() {
        assertTrue(!new File(System.getProperty("java.io.tmpdir"), "poldet-fix-marker").exists());
    }
}
