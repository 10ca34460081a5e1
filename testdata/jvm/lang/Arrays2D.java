// Arrays: element kinds, multi-dimensional creation, clone, covariance, copying with overlap, bounds and store checks.
import java.util.Arrays;

public class Arrays2D {
    static void attempt(String what, Runnable r) {
        try {
            r.run();
            System.out.println(what + " ok");
        } catch (RuntimeException e) {
            System.out.println(what + " " + e);
        }
    }

    public static void main(String[] args) {
        boolean[] z = new boolean[3];
        byte[] b = {1, (byte) 200, -1};
        char[] c = {'x', '\uffff'};
        short[] s = {(short) 40000};
        int[] i = {Integer.MIN_VALUE};
        long[] l = {Long.MAX_VALUE};
        float[] f = {1.1f};
        double[] d = {2.2};
        String[] str = {null, "a"};
        z[1] = true;
        b[0] += 127;
        c[0]++;
        s[0]--;
        i[0]--;
        l[0]++;
        f[0] *= 2;
        d[0] /= 0;
        System.out.println(Arrays.toString(z) + Arrays.toString(b) + (int) c[0] + Arrays.toString(s)
            + Arrays.toString(i)
            + Arrays.toString(l) + Arrays.toString(f) + Arrays.toString(d) + Arrays.toString(str));
        int[][][] cube = new int[2][3][4];
        cube[1][2][3] = 9;
        System.out.println(Arrays.deepToString(cube));
        long[][] jag = new long[3][];
        jag[2] = new long[] {1, 2};
        System.out.println(Arrays.deepToString(jag) + " " + jag.getClass().getName() + " " + cube[0].getClass());
        Object[][] objs = {{1, "a"}, {}, null, new String[] {"q"}};
        System.out.println(Arrays.deepToString(objs) + " " + (objs[3] instanceof String[]));
        int[] copy = cube[1][2].clone();
        copy[3] = 1;
        int[][] shallow = cube[1].clone();
        shallow[0][0] = 77;
        System.out.println(cube[1][2][3] + " " + cube[1][0][0] + " " + (shallow != cube[1]) + " " + copy.length);
        int[] run = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
        System.arraycopy(run, 0, run, 2, 6);
        System.out.println(Arrays.toString(run));
        System.arraycopy(run, 4, run, 1, 6);
        System.out.println(Arrays.toString(run));
        Object[] from = {"a", "b", 3, "d"};
        String[] to = new String[4];
        attempt("partial copy", () -> System.arraycopy(from, 0, to, 0, 4));
        System.out.println(Arrays.toString(to));
        attempt("copy kinds", () -> System.arraycopy(new int[1], 0, new long[1], 0, 1));
        attempt("copy no array", () -> System.arraycopy("s", 0, new long[1], 0, 1));
        attempt("copy object/prim", () -> System.arraycopy(new Object[1], 0, new long[1], 0, 1));
        attempt("copy long", () -> System.arraycopy(new int[3], 1, new int[3], 0, 3));
        attempt("copy long2", () -> System.arraycopy(new Object[3], 0, new Object[2], 1, 2));
        attempt("copy neg", () -> System.arraycopy(new int[3], -1, new int[3], 0, 1));
        attempt("copy neg len", () -> System.arraycopy(new byte[3], 0, new byte[3], 0, -1));
        attempt("copy neg dst", () -> System.arraycopy(new byte[3], 0, new byte[3], -4, 1));
        attempt("copy null", () -> System.arraycopy(null, 0, new int[3], 0, 1));
        attempt("index", () -> run[10]++);
        attempt("index neg", () -> run[-1] = 3);
        attempt("index min", () -> System.out.println(c[Integer.MIN_VALUE]));
        attempt("negative", () -> System.out.println(new int[-3].length));
        attempt("negative2", () -> System.out.println(new int[2][-3].length));
        attempt("zero first", () -> System.out.println(new int[0][-3].length));
        attempt("store", () -> ((Object[]) str)[0] = 1);
        attempt("store2", () -> ((Object[]) new Integer[2][2])[0] = new String[0]);
        attempt("store ok", () -> ((Object[]) new Object[2][2])[0] = new String[0]);
        attempt("store iface", () -> ((Object[]) new Comparable[1])[0] = new Object[0]);
        attempt("cast", () -> System.out.println(((String[]) (Object) new Object[1]).length));
        attempt("cast2", () -> System.out.println(((int[]) (Object) new long[1]).length));
        attempt("cast3", () -> System.out.println(((Integer[][]) (Object) new Number[1][1]).length));
        attempt("store null array", () -> ((int[]) null)[0] = 1);
        Object o = new int[0];
        System.out.println((o instanceof int[]) + " " + (o instanceof Object) + " " + (o instanceof Cloneable) + " "
            + (o instanceof java.io.Serializable) + " " + ((Object) new int[0][0] instanceof Object[]));
        System.out.println(new String[0][0].getClass().getSuperclass() + " "
            + Arrays.toString(int[].class.getInterfaces()));
        int[] big = new int[1 << 20];
        big[big.length - 1] = 5;
        System.out.println(Arrays.stream(big).sum());
        byte[] bits = new byte[4];
        bits[0] = (byte) 0x1ff;
        boolean[] bb = {true, false};
        bb[0] &= bb[1];
        System.out.println(bits[0] + " " + bb[0]);
        System.out.println(Arrays.equals(new double[] {0.0, Double.NaN}, new double[] {-0.0, Double.NaN}) + " "
            + Arrays.equals(new double[] {Double.NaN}, new double[] {Double.NaN}) + " "
                + Arrays.hashCode(new long[] {1L << 32, 5}));
        System.out.println(sum() + " " + sum(1) + " " + sum(1, 2, 3) + " " + sum(new int[] {4, 5}));
    }

    static int sum(int... v) {
        int t = v.length * 1000;
        for (int x : v) {
            t += x;
        }
        return t;
    }
}
