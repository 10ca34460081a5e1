package mixed;

import org.junit.Ignore;
import org.junit.Test;

@Ignore("all of it")
public class IgnoredTest {
    @Test
    public void one() { //~ skipped all of it
    }
}
