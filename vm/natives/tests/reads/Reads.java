import java.lang.reflect.Field;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/** Reads and writes shared state in every way that the log of reads must see; `begin` and `end` are the test's own. */
public class Reads {
    static class Holder implements Cloneable {
        int read = 1;
        int written = 2;
        int untouched = 3;
        int throughAccessor = 4;
        int byReflection = 5;
        short narrow = 6;
        boolean flag = true;
        long wide = 7;
        double real = 8;
        Object reference = this;

        int throughAccessor() {
            return throughAccessor;
        }

        Holder copy() throws CloneNotSupportedException {
            return (Holder) clone();
        }
    }

    static int read = 1;
    static int written = 2;
    static int untouched = 3;
    static boolean flag = true;
    static char letter = 'x';
    static long wide = 5;
    static float real = 6;
    static final Holder holder = new Holder();
    static final Holder cloned = new Holder();
    static final int[] ints = new int[64];
    static final byte[] bytes = new byte[64];
    static final char[] chars = new char[64];
    static final long[] longs = new long[64];
    static final Object[] objects = new Object[64];
    static final int[] source = new int[64];
    static final int[] target = new int[64];
    static final int[] hashed = {1, 2, 3};
    static final Map<String, Integer> map = new HashMap<>();
    static final AtomicInteger atomic = new AtomicInteger(9);
    static final StringBuilder builder = new StringBuilder("some text");
    static String text = new String("a text of its own");

    static native void begin();

    static native void end();

    public static void main(String[] args) throws Exception {
        for (int i = 0; i < 64; i++) {
            map.put("key" + i, i);
            objects[i] = "object" + i;
        }
        long sum = work(0);
        // The JDK's own threads come to rest: -Xcomp has shorter slices, so they would run at other times.
        Thread.sleep(1000);
        begin();
        for (int i = 0; i < 20_000; i++) {
            sum += work(i);
        }
        sum += rest();
        end();
        System.out.println(sum);
    }

    static long work(int i) {
        int at = i & 31;
        written = i;
        holder.written = i;
        target[at] = i;
        long sum = read + written + wide + (long) real + letter + (flag ? 1 : 0);
        sum += holder.read + holder.written + holder.throughAccessor() + holder.narrow + holder.wide;
        sum += (long) holder.real + (holder.flag ? 1 : 0) + (holder.reference == holder ? 1 : 0);
        sum += ints[at] + bytes[at] + chars[at] + longs[at] + target[at];
        sum += ((String) objects[at]).length() + text.charAt(at & 7) + map.get("key" + at);
        bytes[at + 32] = 1;
        return sum;
    }

    static long rest() throws Exception {
        Field field = Holder.class.getDeclaredField("byReflection");
        System.arraycopy(source, 8, target, 40, 8);
        long sum = field.getInt(holder) + cloned.copy().read + Arrays.hashCode(hashed);
        return sum + atomic.getAndIncrement() + builder.length() + text.hashCode();
    }
}
