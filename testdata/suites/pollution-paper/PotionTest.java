// Figure 1: a test that registers a type for good.
package paper;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNull;

import org.junit.BeforeClass;
import org.junit.Test;

public class PotionTest {
    @BeforeClass
    public static void load() {
        PotionEffectType.getByName("none");
    }

    @Test
    public void setExtended() { //~ passed
        PotionEffectType.registerPotionEffectType(new PotionEffectType(19) {
            @Override
            public String getName() {
                return "Poison";
            }
        });
        assertEquals("Poison", PotionEffectType.getByName("POISON").getName());
    }

    @Test
    public void looksUp() { //~ passed
        //~ CLEAN strictly
        assertNull(PotionEffectType.getByName("Swiftness"));
    }
}
