package poldet.shim;

/** Runs tests with one kind of JUnit. */
abstract class Driver {
    void begin() {
    }

    abstract void run(String[] classNames);

    void end() {
    }
}
