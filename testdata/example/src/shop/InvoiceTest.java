package shop;

import static org.junit.Assert.assertEquals;
import static org.junit.Assume.assumeTrue;

import org.junit.Test;

public class InvoiceTest {
    /** Relies on the currency nobody set: fails when SettingsTest has come before. */
    @Test
    public void billsInEuro() {
        Cart cart = new Cart();
        cart.add("book", 1250);
        assertEquals("12.50 EUR", cart.bill());
    }

    @Test
    public void printsOnPaper() {
        assumeTrue("no printer", Boolean.getBoolean("shop.printer"));
        throw new IllegalStateException("printing is not part of this example");
    }
}
