package bad;

import gone.GoneBase;
import org.junit.Test;

/** Cannot even be loaded; it must not vanish. */
public class MissingBaseTest extends GoneBase { //~ error gone/GoneBase
    @Test
    public void one() {}
}
