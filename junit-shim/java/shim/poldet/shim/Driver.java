package poldet.shim;

/** A way to run tests. */
abstract class Driver {
    void begin() {
    }

    abstract void run(String[] classNames);

    void end() {
    }
}
