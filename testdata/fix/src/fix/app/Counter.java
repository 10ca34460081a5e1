package fix.app;

/** A singleton whose instance can be set back. */
public final class Counter {
    private static final Counter INSTANCE = new Counter();

    private int count;

    private Counter() {
    }

    public static Counter getInstance() {
        return INSTANCE;
    }

    public void increment() {
        count++;
    }

    public int get() {
        return count;
    }

    public void reset() {
        count = 0;
    }
}
