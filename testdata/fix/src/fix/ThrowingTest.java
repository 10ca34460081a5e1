package fix;

import static org.junit.Assert.assertEquals;

import java.util.Locale;
import org.junit.Test;

/** A test that ends by an exception: what it changes is saved and restored around it. */
//~ speaksEnglish victim polluter synthesised @After | Locale.setDefault(savedLocale);
public class ThrowingTest {
    @Test(expected = IllegalStateException.class)
    public void goesToItalyAndFails() {
        Locale.setDefault(Locale.ITALY);
        throw new IllegalStateException();
    }

    @Test
    public void speaksEnglish() {
        assertEquals("en", Locale.getDefault().getLanguage());
    }
}
