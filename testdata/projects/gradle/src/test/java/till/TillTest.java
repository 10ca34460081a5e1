package till;

import static org.junit.Assert.assertEquals;

import org.junit.Test;

public class TillTest {
    @Test
    public void leavesMoney() {
        Till.cents = 5;
        assertEquals("yes", System.getProperty("from.gradle"));
        assertEquals("yes", System.getenv("FROM_GRADLE"));
    }
}
