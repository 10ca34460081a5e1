package app;

import org.junit.Test;

public class AppTest {
    @Test
    public void raisesTheLevel() {
        App.raise();
    }
}
