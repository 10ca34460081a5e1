// A rule around the test belongs to the test; a rule that cleans up makes it clean.
package params;

import static org.junit.Assert.assertEquals;

import java.util.ArrayList;
import java.util.List;
import org.junit.BeforeClass;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.ExternalResource;
import org.junit.rules.TemporaryFolder;

public class RulesTest {
    static final List<String> opened = new ArrayList<>();
    static int uses;

    @Rule
    public final ExternalResource resource = new ExternalResource() {
        @Override
        protected void before() {
            opened.add("resource");
        }

        @Override
        protected void after() {
            opened.remove("resource");
        }
    };

    @Rule public final TemporaryFolder folder = new TemporaryFolder();

    @BeforeClass
    public static void load() {
        assertEquals(0, uses);
    }

    @Test
    public void cleanedByItsRules() throws Exception { //~ passed
        //~ CLEAN
        assertEquals(1, opened.size());
        folder.newFile("x");
    }

    @Test
    public void pollutes() { //~ passed
        uses++; //~ POLLUTES changed params.RulesTest.uses: 0 -> 1; counter
    }
}
