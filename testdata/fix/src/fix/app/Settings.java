package fix.app;

/** Settings with a setter, one without, and one that nobody can reach. */
public final class Settings {
    public static String mode = "default";
    private static int level = 3;
    private static boolean locked;
    private static final StringBuilder NAME = new StringBuilder("usual");

    private Settings() {
    }

    public static int getLevel() {
        return level;
    }

    public static void setLevel(int value) {
        level = value;
    }

    public static String name() {
        return NAME.toString();
    }

    /** Only with all of it, and never back. */
    public static void setName(String name) {
        NAME.setLength(0);
        NAME.append(name);
    }

    public static void lock() {
        locked = true;
    }

    public static boolean isLocked() {
        return locked;
    }
}
