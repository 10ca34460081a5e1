package outcomes4;

import org.junit.Ignore;
import org.junit.Test;

@Ignore("the whole class")
public class IgnoredClassTest { //~ skipped the whole class
    @Test
    public void one() {}

    @Test
    public void two() {}
}
