package od;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertTrue;

import java.io.File;
import java.io.FileOutputStream;
import java.io.IOException;
import java.text.NumberFormat;
import java.util.Locale;
import org.junit.Test;

/** Files, system properties, the locale, thread-locals. */
public class OutsideTest {
    private static File marker() {
        return new File(System.getProperty("java.io.tmpdir"), "poldet-od-marker");
    }

    //~ independent
    @Test
    public void leavesAFile() throws IOException {
        new FileOutputStream(marker()).close();
    }

    //~ victim
    //~ polluter od.OutsideTest#leavesAFile state file cleaners od.OutsideTest#deletesTheFile
    @Test
    public void expectsNoFile() {
        assertFalse(marker().exists());
    }

    //~ independent
    @Test
    public void deletesTheFile() {
        marker().delete();
        assertFalse(marker().exists());
    }

    //~ independent
    @Test
    public void setsAProperty() {
        System.setProperty("od.colour", "red");
    }

    //~ victim
    //~ polluter od.OutsideTest#setsAProperty state java.lang.System.props cleaners
    @Test
    public void expectsNoProperty() {
        assertNull(System.getProperty("od.colour"));
    }

    //~ independent
    @Test
    public void goesToFrance() {
        Locale.setDefault(Locale.FRANCE);
        assertTrue(Locale.getDefault().getCountry().equals("FR"));
    }

    //~ victim
    //~ polluter od.OutsideTest#goesToFrance state any cleaners od.OutsideTest#comesHome
    @Test
    public void formatsAtHome() {
        assertEquals("0.5", NumberFormat.getInstance().format(0.5));
    }

    //~ independent
    @Test
    public void comesHome() {
        Locale.setDefault(Locale.ROOT);
        Locale.setDefault(Locale.US);
    }

    //~ independent
    @Test
    public void opensASession() {
        Config.SESSION.set("open");
    }

    //~ victim
    //~ polluter od.OutsideTest#opensASession state od.Config.SESSION cleaners
    @Test
    public void expectsNoSession() {
        assertNull(Config.SESSION.get());
    }
}
