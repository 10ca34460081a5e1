package fix;

import static org.junit.Assert.assertEquals;

import org.junit.Test;

/** The cleaner is in another package, and so is what it names: the patch brings an import. */
//~ expectsTheDefault victim polluter helper | Settings.mode = "default";
//~ expectsTheDefault victim victim helper | Settings.mode = "default";
public class FarTest {
    @Test
    public void changesTheMode() {
        fix.app.Settings.mode = "fast";
    }

    @Test
    public void expectsTheDefault() {
        assertEquals("default", fix.app.Settings.mode);
    }
}
