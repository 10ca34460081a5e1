package fix;

/** State that tests of several classes share. */
public abstract class SuperBase {
    static String owner;
}
