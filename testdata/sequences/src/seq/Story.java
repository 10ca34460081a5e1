package seq;

/** What has happened so far in a VM. Every test prints it, so that it shows what ran before. */
final class Story {
    private static final StringBuilder TEXT = new StringBuilder();

    private Story() {
    }

    static void add(String what) {
        TEXT.append(what);
    }

    static void test(String name) {
        add(name);
        System.out.println(TEXT);
    }
}
