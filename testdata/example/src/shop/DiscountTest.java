package shop;

import static org.junit.Assert.assertEquals;

import org.junit.After;
import org.junit.Before;
import org.junit.Test;

/** Changes what is shared, and puts it back: no polluter. */
public class DiscountTest {
    private int before;

    @Before
    public void remember() {
        before = Settings.discount();
    }

    @After
    public void restore() {
        Settings.useDiscount(before);
    }

    @Test
    public void tenPercent() {
        Settings.useDiscount(10);
        Cart cart = new Cart();
        cart.add("book", 1000);
        assertEquals(900, cart.total());
    }

    @Test
    public void noDiscount() {
        Cart cart = new Cart();
        cart.add("book", 1000);
        assertEquals(1000, cart.total());
    }
}
