// java.util.Arrays in full: sort of every type and range, search, fill, compare, mismatch, equals, hash, deep, set, copy.
import java.util.*;
import java.util.stream.*;

public class ArraysUtil {
    interface T { Object run() throws Throwable; }
    static void t(String n, T r) {
        try {
            System.out.println(n + " " + r.run());
        } catch (Throwable e) {
            System.out.println(n + " !" + e.getClass().getSimpleName() + ": " + e.getMessage());
        }
    }
    public static void main(String[] args) {
        Random r = new Random(1);
        byte[] b = new byte[50];
        r.nextBytes(b);
        char[] c = "the quick brown fox".toCharArray();
        short[] s = new short[300];
        for (int i = 0; i < 300; i++) s[i] = (short) r.nextInt();
        long[] l = r.longs(400).toArray();
        float[] f = new float[100];
        for (int i = 0; i < 100; i++)
            f[i] = i % 10 == 0 ? Float.NaN : i % 10 == 1 ? -0f : i % 10 == 2 ? 0f : r.nextFloat() - .5f;
        double[] d = r.doubles(300).toArray();
        d[3] = Double.NaN;
        d[4] = -0.0;
        d[5] = 0.0;
        d[6] = Double.NEGATIVE_INFINITY;
        int[] a = r.ints(1000, -500, 500).toArray();
        Arrays.sort(b);
        Arrays.sort(c);
        Arrays.sort(s);
        Arrays.sort(l);
        Arrays.sort(f);
        Arrays.sort(d);
        Arrays.sort(a, 100, 900);
        System.out.println(Arrays.toString(b) + new String(c) + Arrays.hashCode(s) + " " + Arrays.hashCode(l) + " "
            + Arrays.hashCode(f) + " " + Arrays.hashCode(d) + " " + Arrays.hashCode(a) + d[0] + d[299] + f[0] + f[99]);
        int[] asc = IntStream.range(0, 500).toArray(), desc = IntStream.range(0, 500).map(x -> 500 - x).toArray(),
            organ = IntStream.range(0, 500).map(x -> Math.min(x, 500 - x)).toArray(), same = new int[500];
        for (int[] q : new int[][] {asc, desc, organ, same}) {
            Arrays.sort(q);
            boolean ok = true;
            for (int i = 1; i < q.length; i++) ok &= q[i - 1] <= q[i];
            System.out.print(ok + " ");
        }
        System.out.println(Arrays.binarySearch(asc, 77) + " " + Arrays.binarySearch(asc, -5)
            + Arrays.binarySearch(asc, 999) + Arrays.binarySearch(asc, 10, 20, 5)
            + Arrays.binarySearch(new String[] {"a", "c", "e"}, "d")
            + Arrays.binarySearch(new double[] {-0.0, 0.0}, 0.0)
            + Arrays.binarySearch(new String[] {"E", "c", "A"}, "C", String.CASE_INSENSITIVE_ORDER.reversed()));
        String[] w = "pear fig Apple kiwi Banana date apple".split(" ");
        Arrays.sort(w);
        System.out.print(Arrays.toString(w));
        Arrays.sort(w, String.CASE_INSENSITIVE_ORDER);
        System.out.print(Arrays.toString(w));
        Arrays.sort(w, Comparator.comparing(String::length).reversed().thenComparing(Comparator.naturalOrder()));
        System.out.println(Arrays.toString(w));
        t("range", () -> { Arrays.sort(asc, 5, 2); return 0; });
        t("range2", () -> { Arrays.sort(asc, -1, 2); return 0; });
        t("null elem", () -> { Arrays.sort(new String[] {"a", null}); return 0; });
        int[] x = new int[6];
        Arrays.fill(x, 1, 4, 7);
        System.out.println(Arrays.toString(x) + Arrays.toString(Arrays.copyOf(x, 8))
            + Arrays.toString(Arrays.copyOfRange(x, 2, 9)) + Arrays.toString(Arrays.copyOf(new String[] {"a"}, 2))
            + Arrays.copyOf(new Integer[] {1}, 1, Number[].class).getClass().getSimpleName());
        t("copy cast", () -> Arrays.copyOf(new Object[] {1}, 1, String[].class));
        System.out.println(Arrays.equals(x, x.clone()) + " " + Arrays.equals((int[]) null, null)
            + Arrays.equals(new int[] {1, 2, 3}, 1, 3, new int[] {2, 3}, 0, 2)
            + Arrays.compare(new int[] {1, 2}, new int[] {1, 3}) + Arrays.compare(new byte[] {1}, new byte[] {1, 2})
            + Arrays.compareUnsigned(new byte[] {-1}, new byte[] {1})
            + Arrays.mismatch(new int[] {1, 2, 3}, new int[] {1, 2, 4})
            + Arrays.mismatch(new char[] {'a'}, new char[] {'a', 'b'})
            + Arrays.mismatch("longer text here".getBytes(), "longer text herE".getBytes())
            + Arrays.mismatch(new double[] {Double.NaN, 0.0}, new double[] {Double.NaN, -0.0})
            + Arrays.equals(new Object[] {1, null}, new Object[] {1, null}));
        Object[] deep = {1, new int[] {2, 3}, new Object[] {"x", new double[] {1.5}}, null};
        System.out.println(Arrays.deepToString(deep) + Arrays.deepHashCode(deep)
            + Arrays.deepEquals(deep, new Object[] {1, new int[] {2, 3}, new Object[] {"x", new double[] {1.5}},
            null}));
        Object[] self = new Object[1];
        self[0] = self;
        System.out.println(Arrays.deepToString(self));
        long[] gen = new long[10];
        Arrays.setAll(gen, i -> 1L << (i * 4));
        System.out.println(Arrays.toString(gen) + Arrays.stream(gen, 2, 5).sum() + Arrays.stream(w).count()
            + Arrays.asList(w).indexOf("fig") + Arrays.toString((int[]) null) + Arrays.toString(new boolean[] {true})
            + Arrays.hashCode(new boolean[] {true, false}) + Arrays.hashCode(new Object[] {"a", null})
            + Arrays.hashCode(new char[] {'a'}) + Arrays.hashCode((Object[]) null));
        int[] pre = IntStream.rangeClosed(1, 10).toArray();
        Arrays.parallelPrefix(pre, (p, q) -> p * q);
        System.out.println(Arrays.toString(pre));
        Integer[] bx = r.ints(200, 0, 50).boxed().toArray(Integer[]::new);
        Arrays.sort(bx, (p, q) -> q - p);
        System.out.println(Arrays.hashCode(bx) + " " + bx[0] + Arrays.asList(bx).lastIndexOf(bx[0]));
        char[] cc = new char[70];
        Arrays.setAll(new int[1], i -> i);
        Arrays.fill(cc, '*');
        System.out.println(new String(cc).length() + " " + Arrays.spliterator(w).estimateSize());
    }
}
