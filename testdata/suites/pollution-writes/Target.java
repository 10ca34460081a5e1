// What the tests write to by every way there is.
package writes;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.IntSupplier;
import java.util.function.Supplier;

public class Target {
    static int reflected;
    static Box reflectedBox = new Box(1);
    static int handled;
    static Box handledBox = new Box(1);
    static int varied;
    static int compared = 5;
    static int[] variedArray = new int[3];
    static Box unsafeBox = new Box(1);
    static int unsafeStatic = 1;
    static final AtomicInteger atomicInt = new AtomicInteger(1);
    static final AtomicLong atomicLong = new AtomicLong();
    static final AtomicReference<String> atomicReference = new AtomicReference<>("old");
    static final AtomicIntegerArray atomicArray = new AtomicIntegerArray(3);
    static final LongAdder adder = new LongAdder();
    static int[] copied = {1, 2, 3, 4};
    static String[] copiedObjects = {"a", "b", "c"};
    static int[] filled = {1, 1};
    static int[] sorted = {2, 1};
    static Object deserialized;
    static final StringBuilder log = new StringBuilder();
    static final int[] captured = {0};
    static final IntSupplier ticket = () -> ++captured[0]; //~ POLLUTES writes.WritesTest#throughALambda changed writes.Target.captured[0]: 0 -> 1
    static Supplier<List<String>> supplier = supplier();
    static int background;
    static final List<String> backgroundList = new ArrayList<>();
    static volatile long volatileLong;
    static Box cloned = new Box(7);
    static int fromFinally;
    static int fromInitializer;
    static int recursive;
    static int again;
    static int inTurn;
    static int[][] rows = {{1, 2}, {3, 4}};
    static char[] chars = "text".toCharArray();

    static void load() {}

    private static Supplier<List<String>> supplier() {
        List<String> hidden = new ArrayList<>();
        return () -> hidden;
    }

    static class Box implements Serializable, Cloneable {
        int value;
        transient Object link;

        Box(int value) {
            this.value = value;
        }

        @Override
        protected Box clone() throws CloneNotSupportedException {
            return (Box) super.clone();
        }
    }

    static class Reader implements Serializable {
        int read = 3;

        private void readObject(java.io.ObjectInputStream in) throws java.io.IOException, ClassNotFoundException {
            in.defaultReadObject();
            deserialized = "read " + read; //~ POLLUTES writes.WritesTest#deserialisation changed writes.Target.deserialized: null -> "read 3"
        }
    }
}
