package shop;

import static org.junit.Assert.assertEquals;

import org.junit.Test;

public class SettingsTest {
    /** Never goes back to euros: a polluter, and InvoiceTest's bill is its victim. */
    @Test
    public void switchesCurrency() {
        Settings.useCurrency("USD");
        assertEquals("USD", Settings.currency());
    }

    @Test
    public void startsWithoutDiscount() {
        assertEquals(0, Settings.discount());
    }
}
