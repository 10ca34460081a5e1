package bad;

import gone.Gone;
import org.junit.Test;

/** Can be loaded, but its methods cannot be listed. */
public class MissingInSignatureTest { //~ error gone/Gone
    public Gone helper() {
        return new Gone();
    }

    @Test
    public void one() {}
}
