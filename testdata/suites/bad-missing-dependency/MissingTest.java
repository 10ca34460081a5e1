package bad;

import gone.Gone;
import org.junit.Test;

public class MissingTest {
    @Test
    public void needsIt() { //~ error java.lang.NoClassDefFoundError
        System.out.println(Gone.value());
    }

    @Test
    public void doesNotNeedIt() { //~ passed
    }
}
