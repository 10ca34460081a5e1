// CPU-bound integer work whose result is a checksum: CRC tables, hashes, matrix products, sieves, sorting by hand, bit tricks.
public class Checksums {
    static int crc(byte[] d) {
        int[] t = new int[256];
        for (int i = 0; i < 256; i++) {
            int c = i;
            for (int k = 0; k < 8; k++) c = (c & 1) != 0 ? (c >>> 1) ^ 0xEDB88320 : c >>> 1;
            t[i] = c;
        }
        int c = -1;
        for (byte b : d) c = t[(c ^ b) & 255] ^ (c >>> 8);
        return ~c;
    }
    static long fnv(byte[] d) {
        long h = 0xcbf29ce484222325L;
        for (byte b : d) { h ^= b & 255; h *= 0x100000001b3L; }
        return h;
    }
    static int murmur(int[] d) {
        int h = 99;
        for (int k : d) {
            k *= 0xcc9e2d51;
            k = Integer.rotateLeft(k, 15);
            k *= 0x1b873593;
            h ^= k;
            h = Integer.rotateLeft(h, 13) * 5 + 0xe6546b64;
        }
        h ^= h >>> 16;
        h *= 0x85ebca6b;
        h ^= h >>> 13;
        h *= 0xc2b2ae35;
        return h ^ h >>> 16;
    }
    static void quick(int[] a, int lo, int hi) {
        while (lo < hi) {
            int p = a[(lo + hi) >>> 1], i = lo, j = hi;
            while (i <= j) {
                while (a[i] < p) i++;
                while (a[j] > p) j--;
                if (i <= j) { int t = a[i]; a[i++] = a[j]; a[j--] = t; }
            }
            if (j - lo < hi - i) { quick(a, lo, j); lo = i; } else { quick(a, i, hi); hi = j; }
        }
    }
    static void heap(double[] a) {
        for (int n = a.length, i = n / 2; ; ) {
            double x;
            if (i > 0) x = a[--i]; else { if (--n == 0) return; x = a[n]; a[n] = a[0]; }
            int k = i, c;
            while ((c = 2 * k + 1) < n) {
                if (c + 1 < n && a[c + 1] > a[c]) c++;
                if (x >= a[c]) break;
                a[k] = a[c];
                k = c;
            }
            a[k] = x;
        }
    }
    static long gcd(long a, long b) { while (b != 0) { long t = a % b; a = b; b = t; } return a; }
    static int lev(String a, String b) {
        int[] p = new int[b.length() + 1], q = new int[b.length() + 1];
        for (int j = 0; j <= b.length(); j++) p[j] = j;
        for (int i = 1; i <= a.length(); i++) {
            q[0] = i;
            for (int j = 1; j <= b.length(); j++)
                q[j] = Math.min(Math.min(q[j - 1], p[j]) + 1, p[j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1));
            int[] t = p;
            p = q;
            q = t;
        }
        return p[b.length()];
    }
    static int mandel(double cr, double ci) {
        double r = 0, i = 0;
        int n = 0;
        while (n < 100 && r * r + i * i < 4) { double t = r * r - i * i + cr; i = 2 * r * i + ci; r = t; n++; }
        return n;
    }
    public static void main(String[] args) {
        byte[] d = new byte[20000];
        int x = 12345;
        for (int i = 0; i < d.length; i++) { x = x * 1103515245 + 12345; d[i] = (byte) (x >> 16); }
        System.out.println(Integer.toHexString(crc(d)) + " " + Long.toHexString(fnv(d)));
        int[] a = new int[20000];
        for (int i = 0; i < a.length; i++) { x ^= x << 13; x ^= x >>> 17; x ^= x << 5; a[i] = x; }
        System.out.println(murmur(a));
        quick(a, 0, a.length - 1);
        System.out.println(murmur(a) + " " + a[0] + " " + a[a.length - 1]);
        double[] h = new double[5000];
        for (int i = 0; i < h.length; i++) h[i] = a[(i * 7919) % a.length] / 3.0;
        heap(h);
        double s = 0;
        for (int i = 1; i < h.length; i++) s += h[i - 1] <= h[i] ? 1 : 1e9;
        System.out.println(s + " " + h[2500]);
        int n = 40;
        double[][] m = new double[n][n], k = new double[n][n], r = new double[n][n];
        for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) {
            m[i][j] = (i * j) % 7 - 3;
            k[i][j] = 1.0 / (i + j + 1);
        }
        for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) {
            double t = 0;
            for (int q = 0; q < n; q++) t += m[i][q] * k[q][j];
            r[i][j] = t;
        }
        double tr = 0;
        for (int i = 0; i < n; i++) tr += r[i][i];
        System.out.println(Double.toHexString(tr));
        boolean[] comp = new boolean[60000];
        int primes = 0;
        for (int i = 2; i < comp.length; i++) {
            if (!comp[i]) { primes++; for (long j = (long) i * i; j < comp.length; j += i) comp[(int) j] = true; }
        }
        System.out.println(primes);
        long g = 0;
        for (int i = 1; i < 300; i++) for (int j = 1; j < 60; j++) g += gcd(i * 7919L, j * 104729L + i);
        System.out.println(g + " " + lev("the quick brown fox jumps over", "a lazy dog quickly jumped over it"));
        int md = 0;
        for (int i = 0; i < 40; i++)
            for (int j = 0; j < 30; j++) md = md * 31 + mandel(-2 + i * 0.075, -1.2 + j * 0.08);
        System.out.println(md);
        long acc = 0;
        short sh = 1;
        char ch = 1;
        byte by = 1;
        float fl = 1;
        for (int i = 0; i < 20000; i++) {
            sh *= 31;
            sh += i;
            ch ^= sh;
            by -= ch;
            fl = fl * 0.99f + by;
            acc = Long.rotateLeft(acc, 5) ^ sh ^ ((long) ch << 20) ^ by ^ (long) fl;
        }
        System.out.println(acc);
    }
}
