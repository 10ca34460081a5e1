package fix;

import static org.junit.Assert.assertEquals;

import org.junit.Test;

/** Several tests leave the same behind, and one never comes to its end: the patch is a method that runs after each test. */
//~ expectsNone victim polluter synthesised @After | open = 0;
public class AfterTest {
    static int open;

    @Test
    public void opensOne() {
        open = 1;
    }

    @Test
    public void opensTwo() {
        open = 2;
    }

    @Test(expected = IllegalStateException.class)
    public void opensAndFails() {
        open = 3;
        throw new IllegalStateException();
    }

    @Test
    public void expectsNone() {
        assertEquals(0, open);
    }
}
