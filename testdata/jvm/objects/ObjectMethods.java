// What Object gives: identity, default equality, wait/notify without the monitor, getClass, finalize is callable, hash contracts.
import java.util.*;

public class ObjectMethods {
    static class Plain { int x; }
    static class Fin { int n; @Override protected void finalize() { n++; } }
    static void attempt(String s, Runnable r) {
        try { r.run(); System.out.println(s + " ok"); } catch (RuntimeException e) { System.out.println(s + " " + e); }
    }
    @SuppressWarnings("removal")
    public static void main(String[] args) throws Exception {
        Plain p = new Plain(), q = new Plain();
        System.out.println(p.equals(q) + " " + p.equals(p) + " " + (p.hashCode() == p.hashCode()) + " "
            + (p.hashCode() == System.identityHashCode(p)) + " " + System.identityHashCode(null));
        System.out.println(p.toString().equals("ObjectMethods$Plain@" + Integer.toHexString(p.hashCode())) + " "
            + (p.getClass() == q.getClass()) + " " + p.getClass());
        int before = p.hashCode();
        int[] junk = null;
        for (int i = 0; i < 2000; i++) junk = new int[1000];
        System.gc();
        System.out.println((before == p.hashCode()) + " " + junk.length);
        attempt("notify", p::notify);
        attempt("notifyAll", p::notifyAll);
        attempt("wait", () -> { try { p.wait(); } catch (InterruptedException e) { throw new RuntimeException(e); } });
        attempt("wait neg", () -> { try { synchronized (p) { p.wait(-1); } } catch (InterruptedException e) {
            throw new RuntimeException(e); } });
        attempt("wait nanos", () -> { try { synchronized (p) { p.wait(0, 1000000); } } catch (InterruptedException e) {
            throw new RuntimeException(e); } });
        attempt("sync null", () -> { Object n = null; synchronized (n) { System.out.println("no"); } });
        attempt("holds", () -> { synchronized (p) {
            synchronized (p) { System.out.print(Thread.holdsLock(p) + " ");
            } System.out.print(Thread.holdsLock(p) + " "); } System.out.print(Thread.holdsLock(p) + " "); });
        synchronized (p) { p.notify(); p.wait(1); p.wait(0, 1); System.out.println("timed wait returns"); }
        Thread.currentThread().interrupt();
        try {
            synchronized (p) { p.wait(); }
        } catch (InterruptedException e) {
            System.out.println(e + " " + Thread.interrupted());
        }
        Fin f = new Fin();
        f.finalize();
        System.out.println(f.n);
        Set<Object> ids = Collections.newSetFromMap(new IdentityHashMap<>());
        for (int i = 0; i < 1000; i++) ids.add(new Plain());
        ids.add("a"); ids.add(new String("a")); ids.add("a");
        System.out.println(ids.size());
        Set<Integer> hashes = new HashSet<>();
        for (int i = 0; i < 1000; i++) hashes.add(new Object().hashCode());
        System.out.println(hashes.size() > 990);
        System.out.println(Objects.equals(p, null) + " " + Objects.hashCode(null) + " " + Objects.hash(1, null, "x")
            + " " + Objects.toString(null, "d") + " " + Objects.requireNonNullElse(null, 5) + " "
            + Objects.checkIndex(3, 4) + " " + Objects.compare("a", "b", Comparator.naturalOrder()) + " "
            + Objects.deepEquals(new int[][] {{1}}, new int[][] {{1}}));
        attempt("requireNonNull", () -> Objects.requireNonNull(null, "message"));
        attempt("requireNonNull2", () -> Objects.requireNonNull(null, () -> "supplied"));
        attempt("checkIndex", () -> Objects.checkIndex(4, 4));
        attempt("checkFromToIndex", () -> Objects.checkFromToIndex(2, 1, 4));
        attempt("checkFromIndexSize", () -> Objects.checkFromIndexSize(2, 3, 4));
        System.out.println(new int[0].getClass() == new int[5].getClass() && new int[0].hashCode() != 0
            && !new int[0].equals(new int[0]));
    }
}
