package impact;

/** State that tests share. */
class Config {
    static String locale = "en";
    static String theme = "light";
    static int calls;
    static String title = "Mr";

    private Config() {}
}
