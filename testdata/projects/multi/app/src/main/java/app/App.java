package app;

import core.Level;

public final class App {
    private App() {}

    public static void raise() {
        Level.current = "high";
    }
}
