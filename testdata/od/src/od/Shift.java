package od;

/** State that fixtures of classes change. */
class Shift {
    static final String NAME = "shift";
    static String worker;
    static boolean over;
    static String report;
    static String log;
}
