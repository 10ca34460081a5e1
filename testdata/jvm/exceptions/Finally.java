// finally in all its flows: overriding returns and throws, nesting, loops, values saved before finally, rethrow.
public class Finally {
    static StringBuilder log = new StringBuilder();
    @SuppressWarnings("finally") static int override() { try { return 1; } finally { return 2; } }
    @SuppressWarnings("finally") static int swallow() {
        try { throw new RuntimeException("lost"); } finally { return 3; }
    }
    static int saved() { int x = 1; try { return x; } finally { x = 99; log.append("x").append(x); } }
    static int[] savedRef() { int[] a = {1}; try { return a; } finally { a[0] = 5; } }
    static long savedLong(double d) { long l = 1L << 40; try { return (long) (l * d); } finally { l = 0; d = 0; } }
    @SuppressWarnings("finally") static String replace() {
        try {
            try { throw new IllegalStateException("first"); } finally { throw new IllegalArgumentException("second"); }
        } catch (RuntimeException e) {
            return e.getMessage() + e.getSuppressed().length;
        }
    }
    @SuppressWarnings("finally") static int loop() {
        int n = 0;
        while (true) { try { n++; if (n < 5) continue; return -n; } finally { if (n < 7) continue; break; } }
        return n;
    }
    static String nested(int k) {
        StringBuilder s = new StringBuilder();
        try {
            s.append("a");
            try { s.append("b"); if (k == 1) throw new Exception("k1"); if (k == 2) return s.append("r").toString(); }
            catch (Exception e) { s.append("c"); if (k == 1) throw new RuntimeException(e); }
            finally { s.append("f1"); }
            if (k == 3) { int[] z = new int[0]; z[0] = 1; }
        } catch (RuntimeException e) { s.append("C").append(e.getClass().getSimpleName().charAt(0)); }
        finally { s.append("f2"); log.append(s).append(' '); }
        return s.toString();
    }
    static int multi(int k) {
        try {
            switch (k) {
                case 0: throw new IllegalStateException();
                case 1: throw new ArithmeticException();
                case 2: Object o = "s";
                return ((Integer) o);
                case 3: throw new Error();
            }
            return 0;
        }
        catch (IllegalStateException | ArithmeticException e) { return 10 + e.getClass().getSimpleName().length(); }
        catch (RuntimeException e) { return 20; }
        catch (Throwable t) { return 30; }
        finally { log.append(k); }
    }
    static void precise() throws java.io.IOException {
        try {
            if (log.length() > 0) throw new java.io.IOException("precise");
        } catch (Exception e) {
            log.append("!");
            throw e;
        }
    }
    static int deep(int n) { try { return n == 0 ? bang() : deep(n - 1); } finally { log.append(n); } }
    static int bang() { throw new IllegalStateException("bang"); }
    static int sync(Object o) {
        synchronized (o) {
            try { return bang(); } catch (IllegalStateException e) { return Thread.holdsLock(o) ? 1 : 0; }
        }
    }
    static int retry(int fails) {
        for (int i = 0; ; i++) {
            try {
                if (i < fails) throw new RuntimeException();
                return i;
            } catch (RuntimeException e) {
                if (i > 5) throw e;
            }
        }
    }
    public static void main(String[] args) {
        System.out.println(override() + " " + swallow() + " " + saved() + " " + savedRef()[0] + " " + savedLong(0.5)
            + " " + replace() + " " + loop() + " " + log);
        log.setLength(0);
        for (int k = 0; k < 4; k++) System.out.print(nested(k) + " ");
        System.out.println(log);
        log.setLength(0);
        for (int k = 0; k < 5; k++) System.out.print(multi(k) + " ");
        System.out.println(log);
        try { precise(); } catch (java.io.IOException e) { System.out.println(e.getMessage() + log); }
        log.setLength(0);
        try { deep(5); } catch (IllegalStateException e) { System.out.println(log + e.getMessage()); }
        Object o = new Object();
        System.out.println(sync(o) + " " + Thread.holdsLock(o));
        try {
            synchronized (o) { bang(); }
        } catch (IllegalStateException e) {
            System.out.println("released " + !Thread.holdsLock(o));
        }
        System.out.println(retry(3));
        try { retry(100); } catch (RuntimeException e) { System.out.println("gave up " + e.getMessage()); }
        int caught = 0;
        for (int i = 0; i < 5000; i++) try {
            if (i % 2 == 0) throw new RuntimeException();
            caught--;
        } catch (RuntimeException e) {
            caught += 2;
        } finally {
            caught++;
        }
        System.out.println(caught);
    }
}
