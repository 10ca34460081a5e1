package od;

import static org.junit.Assert.assertFalse;

import org.junit.Test;

/** A polluter of two tests: neither does it alone, nor the other way round. */
public class ArmedTest {
    //~ independent
    @Test
    public void arms() {
        Config.armed = true;
    }

    //~ independent
    @Test
    public void firesIfArmed() {
        if (Config.armed) {
            Config.broken = true;
        }
    }

    //~ victim
    //~ polluter od.ArmedTest#arms+od.ArmedTest#firesIfArmed state od.Config.broken cleaners
    @Test
    public void expectsItWhole() {
        assertFalse(Config.broken);
    }
}
