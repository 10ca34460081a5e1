package core;

import static org.junit.Assert.assertEquals;

import org.junit.Test;

public class LevelTest {
    @Test
    public void isLow() {
        assertEquals("low", Level.current);
    }
}
