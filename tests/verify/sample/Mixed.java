package sample;

import java.io.Serializable;
import java.util.*;
import sample.other.Base;

/** A little of everything the verifier has rules for; no static initialisers, so that linking runs nothing. */
public class Mixed extends Base implements Runnable, Comparable<Mixed> {
    int i;
    long l;
    float f;
    double d;
    byte b;
    char c;
    short s;
    boolean z;
    int[] ints;
    String[][] grid;
    Mixed next;
    final int fixed;
    static Object shared;
    static double ratio;

    Mixed(int i, boolean flag) {
        super(flag ? "yes" : "no" + i);
        this.fixed = flag ? i : -i;
        this.i = i;
    }

    Mixed() {
        this(3, true);
    }

    Mixed(long l) {
        fixed = 1;
        this.l = l;
        try {
            this.d = Double.parseDouble("1");
        } catch (NumberFormatException e) {
            this.d = l;
        }
    }

    @Override
    public void run() {
        for (int k = 0; k < 10; k++) {
            i += k * 2;
            l = l << k | i;
            f = f * k + l;
            d -= f / (k + 1);
        }
    }

    @Override
    public int compareTo(Mixed o) {
        return o.i < i ? -1 : o.i == i ? 0 : 1;
    }

    int reach(Mixed m, Base base) {
        return m.guarded + guard(base) + m.guard(this) + (int) counter;
    }

    long arrays(int n) {
        int[] a = new int[n];
        long[] b = new long[n];
        byte[] c = {1, 2, 3};
        boolean[] e = new boolean[2];
        char[] g = "abc".toCharArray();
        short[] h = new short[1];
        float[] fl = {1f};
        double[] dl = {2d};
        Object[][] grid = new String[n][n];
        String[][][] deep = new String[2][3][];
        e[0] = c[0] == 1;
        h[0] = (short) g[0];
        fl[0]++;
        dl[0] *= 2;
        grid[0] = deep[0][0];
        grid[0][1] = "x";
        a[0] += b.length;
        b[1] = a[0] + c[2] + h[0] + (long) fl[0] + (long) dl[0];
        int[] copy = a.clone();
        return b[1] + copy.length + ((String) grid[0][0]).length();
    }

    String branches(Object o, int k) {
        String r;
        if (o instanceof String t && t.length() > 2) {
            r = t;
        } else if (o == null) {
            r = null;
        } else {
            r = k > 3 ? "big" : k < -3 ? "small" : o.toString();
        }
        switch (k) {
            case 1: r += "one"; break;
            case 2: r = "two" + r;
            case 3: r = r + 3; break;
            case 1000: return r;
            default: r = "" + k + 1.5 + 2L + 'c';
        }
        switch (r) {
            case "a": return "A";
            case "b": return "B";
        }
        return r;
    }

    int handlers(List<? extends Number> list) throws Exception {
        int sum = 0;
        Object last = "none";
        try {
            for (Number n : list) {
                sum += n.intValue();
                last = n;
                if (sum > 100) throw new IllegalStateException("much: " + sum);
            }
        } catch (IllegalStateException | NullPointerException e) {
            last = e;
            sum = -1;
        } catch (RuntimeException e) {
            throw new Exception(e);
        } finally {
            synchronized (this) {
                shared = last;
            }
        }
        try (java.io.StringReader r = new java.io.StringReader("x")) {
            sum += r.read();
        }
        return sum;
    }

    Object create(int k) {
        Object o = k > 1 ? new ArrayList<Object>(k) : new StringBuilder(k > 0 ? "a" : "b").append(k).append(1L);
        Serializable ser = k == 2 ? new int[] {1} : "text";
        Comparable<?> cmp = k == 3 ? Integer.valueOf(1) : "y";
        Number num = k == 4 ? (Number) Integer.valueOf(2) : Double.valueOf(3);
        return Arrays.asList(o, ser, cmp, num, new Mixed(k, k > 5), new int[k][]);
    }

    double stack(double x, long y) {
        double t = x;
        long u = y;
        t += u++ + (l = ++y);
        ints[i++] += (int) (d += t);
        grid[0][i--] += "z";
        next.l = next.next.l += 2;
        return ratio = t * u % 3 - -x;
    }

    static int statics(int a, long b, float c, double e, Object o) {
        shared = o;
        ratio += a + b + c + e;
        int r = (int) (a ^ b >>> 2) & 255 | ~a;
        while (r > 0) {
            do {
                r -= Integer.compare(r, 5);
                if (c > e || c != c) break;
            } while (b < 100L);
            r >>= 1;
        }
        return (byte) r + (char) r + (short) r + (o == shared ? 1 : 0);
    }

    public Mixed clone() throws CloneNotSupportedException {
        Mixed m = (Mixed) super.clone();
        m.next = this;
        return m;
    }
}
