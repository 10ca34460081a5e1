// Rules that users add by file and flag, and rules they turn off.
package rules;

import org.junit.BeforeClass;
import org.junit.Test;

public class RulesTest {
    @BeforeClass
    public static void load() {
        Kept.load();
    }

    @Test
    public void builtIn() { //~ passed
        Kept.cache.add("c"); //~ POLLUTES added rules.Kept.cache[0]: -> "c"; ignored by cache
    }

    @Test
    public void byFlag() { //~ passed
        Kept.flagged.add("f"); //~ POLLUTES added rules.Kept.flagged[0]: -> "f"; ignored by root: rules.Kept.flag*
    }

    @Test
    public void byFile() { //~ passed
        Kept.filed.add("f"); //~ POLLUTES added rules.Kept.filed[0]: -> "f"; ignored by user-filed
    }

    @Test
    public void fieldByFile() { //~ passed
        Kept.session.lastUsed = 17; //~ POLLUTES changed rules.Kept.session.lastUsed: 0 -> 17; ignored by user-session
        Kept.session.user = "someone"; //~ POLLUTES changed rules.Kept.session.user: "nobody" -> "someone"
    }

    @Test
    public void noRule() { //~ passed
        Kept.plain = 1; //~ POLLUTES changed rules.Kept.plain: 0 -> 1
    }
}
