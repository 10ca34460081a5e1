package so;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.awt.Frame;
import java.awt.HeadlessException;
import java.io.File;
import java.io.FileInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Paths;
import java.time.LocalDate;
import java.util.Locale;
import org.junit.Test;

/** The other assumptions: display, files outside of the suite, clock and locale. */
public class OthersTest {
    //~ display sanitised thrown java.awt.HeadlessException -
    @Test
    public void window() {
        new Frame("title").dispose();
    }

    //~ display sanitised created java.awt.HeadlessException -
    @Test
    public void noWindow() {
        boolean shown;
        try {
            new Frame("title").dispose();
            shown = true;
        } catch (HeadlessException e) {
            shown = false;
        }
        assertTrue(shown);
    }

    //~ files-outside sanitised thrown java.io.FileNotFoundException /no/such/place/data.txt
    @Test
    public void stream() throws IOException {
        new FileInputStream("/no/such/place/data.txt").close();
    }

    //~ files-outside sanitised thrown java.nio.file.NoSuchFileException /no/such/place/data.bin
    @Test
    public void channel() throws IOException {
        Files.readAllBytes(Paths.get("/no/such/place/data.bin"));
    }

    //~ files-outside error
    @Test
    public void inside() throws IOException {
        new FileInputStream("missing.txt").close();
    }

    //~ files-outside error
    @Test
    public void temporary() throws IOException {
        new FileInputStream(new File(System.getProperty("java.io.tmpdir"), "missing.txt")).close();
    }

    //~ clock sanitised asked - -
    @Test
    public void today() {
        assertEquals(1999, LocalDate.now().getYear());
    }

    //~ clock failed
    @Test
    public void noClock() {
        assertEquals(1999, LocalDate.of(2000, 1, 1).getYear());
    }

    //~ locale sanitised asked - -
    @Test
    public void locale() {
        assertEquals("xx", Locale.getDefault().getLanguage());
    }

    //~ locale failed
    @Test
    public void noLocale() {
        assertEquals(1, 2);
    }
}
