package mixed;

import org.junit.Ignore;
import org.junit.Test;

@Ignore("all of it")
public class IgnoredTest { //~ skipped all of it
    @Test
    public void one() {}
}
