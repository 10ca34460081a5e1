package gone;

/** Compiled with the suite, and not there when it runs. */
public class Gone {
    public static int value() {
        return 1;
    }
}
