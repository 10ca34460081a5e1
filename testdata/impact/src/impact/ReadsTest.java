package impact;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNotNull;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.fail;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.Test;

/** Reads what others leave behind. */
public class ReadsTest {
    @Test
    public void expectsEnglish() {
        assertEquals("en", Config.locale);
    }

    @Test
    public void expectsEnglishToo() {
        assertEquals("en", Config.locale);
    }

    @Test
    public void comparesTheThemeWithItself() {
        String theme = Config.theme;
        assertEquals(theme, Config.theme);
    }

    @Test
    public void hasATitle() {
        if (Config.title == null) {
            fail();
        }
    }

    @Test
    public void expectsNoProperty() {
        assertNull(System.getProperty("impact.colour"));
    }

    @Test
    public void expectsNoFile() {
        assertFalse(Files.exists(Path.of("/tmp/poldet-impact-marker")));
    }

    @Test
    public void failsAlways() {
        fail("always");
    }

    @Test
    public void readsNothing() {
        assertNotNull("text");
    }
}
