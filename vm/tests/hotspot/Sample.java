import java.util.Comparator;
import java.util.List;
import java.util.function.Supplier;

/** A little of everything a class file can hold. */
@Deprecated
public class Sample<T extends Comparable<T>> implements Supplier<T>, Cloneable {
    static final long LONG = 5L;
    static final double DOUBLE = 2.5;
    static final float FLOAT = 1.5f;
    static final String TEXT = "\u00e9\u4e2d\0";
    static final byte BYTE = 3;
    volatile transient int counter;
    private T value;
    protected Object[][] grid;

    enum Colour { RED, GREEN { @Override String show() { return "g"; } }; String show() { return "c"; } }

    record Point(int x, @Deprecated List<String> names) {}

    sealed interface Shape permits Round, Square {}

    static final class Round implements Shape {}

    static final class Square implements Shape {}

    @interface Mark { int value() default 3; String[] names() default {"a", "b"}; }

    interface Greeter { String NAME = "x"; void greet(); default int twice(int n) { return 2 * n; } static void no() {} }

    native long outside(int a, long b);

    @Override
    public T get() { return value; }

    static synchronized int sum(int... numbers) throws IllegalStateException {
        int total = 0;
        for (int n : numbers) total += n;
        return total;
    }

    @Mark(7)
    String text(Object o, @Deprecated String s) {
        Supplier<String> lambda = () -> s + o;
        Comparator<String> reference = String::compareTo;
        try {
            return lambda.get() + reference.compare("a", s) + LONG;
        } catch (RuntimeException e) {
            return "e" + e;
        } finally {
            counter++;
        }
    }

    Runnable anonymous() {
        class Local implements Runnable { public void run() { grid = new Object[1][2]; } }
        return new Local();
    }

    static double mixed(long a, double b, float c) {
        switch ((int) a) { case 1: return b; case 1000: return c; default: return a; }
    }
}
