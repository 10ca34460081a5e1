// StackOverflowError: caught, repeatedly, in finally, in constructors, in toString and through reflection; the VM goes on.
import java.util.*;

public class StackOverflow {
    static int depth;
    static void down() { depth++; down(); }
    static int mutualA(int n) { return mutualB(n + 1) + 1; }
    static int mutualB(int n) { return mutualA(n + 1) + 1; }
    static class Node { Node child = new Node(); }
    static class Loop { Loop other; @Override public String toString() { return "L" + other; } }
    static int fin; static void withFinally(int n) { try { withFinally(n + 1); } finally { fin++; } }
    static int counted(int n) {
        try { return counted(n + 1); } catch (StackOverflowError e) { return n > 100 ? 1 : 0; }
    }
    static long wide(long a, double b, long c, double d) { return wide(a + 1, b, c, d) + 1; }
    public static void main(String[] args) throws Exception {
        for (int i = 0; i < 3; i++) {
            depth = 0;
            try {
                down();
            } catch (StackOverflowError e) {
                System.out.println("caught " + (depth > 500) + " " + e.getMessage() + " "
                    + e.getStackTrace()[0].getMethodName() + " " + (e.getStackTrace().length == 1024));
            }
        }
        try { mutualA(0); } catch (StackOverflowError e) { System.out.println("mutual " + (e.getCause() == null)); }
        try {
            new Node();
        } catch (StackOverflowError e) {
            System.out.println("ctor " + e.getStackTrace()[0].getMethodName());
        }
        Loop a = new Loop(), b = new Loop(); a.other = b; b.other = a;
        try { a.toString(); } catch (StackOverflowError e) { System.out.println("toString " + e); }
        try { withFinally(0); } catch (StackOverflowError e) { System.out.println("finally " + (fin > 100)); }
        System.out.println(counted(0));
        try { wide(0, 0, 0, 0); } catch (StackOverflowError e) { System.out.println("wide"); }
        List<Object> self = new ArrayList<>(); self.add(self);
        System.out.println(self);
        List<Object> x = new ArrayList<>(), y = new ArrayList<>(); x.add(y); y.add(x);
        try { x.hashCode(); } catch (StackOverflowError e) { System.out.println("hashCode"); }
        Runnable[] r = new Runnable[1]; r[0] = () -> r[0].run();
        try { r[0].run(); } catch (StackOverflowError e) { System.out.println("lambda"); }
        Thread t = new Thread(null, () -> { try { down(); } catch (StackOverflowError e) {
            System.out.println("in thread"); } }, "deep", 1 << 20);
        t.start(); t.join();
        Object lock = new Object();
        try {
            synchronized (lock) { down(); }
        } catch (StackOverflowError e) {
            System.out.println("lock free " + !Thread.holdsLock(lock));
        }
        System.out.println("still alive");
    }
}
