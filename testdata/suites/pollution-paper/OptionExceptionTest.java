// Of jopt-simple: the class library's cache of locales grows, which the rule on names hides.
package paper;

import static org.junit.Assert.assertEquals;

import java.util.Locale;
import org.junit.Test;

public class OptionExceptionTest {
    @Test
    public void givesCorrectExceptionMessage() { //~ passed
        //~ CLEAN
        assertEquals("eo", Locale.forLanguageTag("eo").getLanguage());
    }
}
