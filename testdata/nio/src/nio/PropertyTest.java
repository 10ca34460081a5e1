package nio;

import static org.junit.Assert.assertNull;

import org.junit.Test;

/** A system property. */
public class PropertyTest {
    //~ nio java.lang.System.props
    @Test
    public void setsAProperty() {
        assertNull(System.getProperty("nio.property"));
        System.setProperty("nio.property", "set");
    }

    //~ idempotent
    @Test
    public void putsItBack() {
        assertNull(System.getProperty("nio.other"));
        System.setProperty("nio.other", "set");
        System.clearProperty("nio.other");
    }
}
