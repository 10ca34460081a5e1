package core;

public final class Level {
    public static String current = "low";

    private Level() {}
}
