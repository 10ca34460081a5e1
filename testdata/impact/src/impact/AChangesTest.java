package impact;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.Test;

/** Leaves state behind, each kind with another impact. Runs before the tests that read it. */
public class AChangesTest {
    /** Harmful: tests fail after it. */
    @Test
    public void changesTheLocale() {
        Config.locale = "fr";
    }

    /** Observed: a test compares other values after it, though they are still equal. */
    @Test
    public void changesTheTheme() {
        Config.theme = "dark";
    }

    /** Read: a test reads it and does the same. */
    @Test
    public void changesTheTitle() {
        Config.title = "Mrs";
    }

    /** Unread. */
    @Test
    public void counts() {
        Config.calls++;
    }

    @Test
    public void setsAProperty() {
        System.setProperty("impact.colour", "red");
    }

    @Test
    public void leavesAFile() throws Exception {
        Files.writeString(Path.of("/tmp/poldet-impact-marker"), "here");
    }
}
