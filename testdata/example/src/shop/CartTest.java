package shop;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.fail;

import org.junit.Before;
import org.junit.Test;

public class CartTest {
    private Cart cart;

    @Before
    public void fill() {
        cart = new Cart();
        cart.add("book", 1250);
    }

    @Test
    public void totals() {
        cart.add("pen", 199);
        assertEquals(1449, cart.total());
    }

    @Test
    public void sameGoodsAddUp() {
        cart.add("book", 1250);
        assertEquals(2500, cart.total());
    }

    @Test
    public void refusesNegativePrices() {
        try {
            cart.add("gift", -1);
            fail("a negative price was taken");
        } catch (IllegalArgumentException e) {
            assertEquals("a price below nothing: -1", e.getMessage());
        }
    }
}
