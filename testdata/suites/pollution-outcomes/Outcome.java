package outcomes;

public class Outcome {
    static int failed;
    static int erred;
    static int skipped;
    static int expected;
    static int timed;
    static int constructed;

    static void load() {}
}
