// Contended monitors: dining philosophers with ordered locks, a bank with transfers, read-mostly counters; invariants hold.
import java.util.*;

public class Philosophers {
    static class Account { final int id; int money = 1000; Account(int id) { this.id = id; } }
    static void move(Account a, Account b, int n) {
        Account x = a.id < b.id ? a : b, y = x == a ? b : a;
        synchronized (x) { synchronized (y) { if (a.money >= n) { a.money -= n; b.money += n; } } }
    }
    static int meals;
    static synchronized void ate() { meals++; }
    static final Object[] forks = new Object[5];
    static class Once {
        static int inits;
        static { inits++; try { Thread.sleep(5); } catch (InterruptedException e) { } }
        static int get() { return inits; }
    }
    static class Lazy {
        private static volatile Lazy inst;
        static int made;
        static Lazy get() {
            Lazy l = inst;
            if (l == null) synchronized (Lazy.class) { l = inst; if (l == null) { made++; inst = l = new Lazy(); } }
            return l;
        }
    }
    static class Mono {
        private int v;
        synchronized int bump() { return recurse(3); }
        private synchronized int recurse(int n) { return n == 0 ? ++v : recurse(n - 1); }
        synchronized void fail() { throw new IllegalStateException(); }
    }
    public static void main(String[] args) throws Exception {
        for (int i = 0; i < 5; i++) forks[i] = new Object();
        List<Thread> ts = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            int k = i;
            Thread t = new Thread(() -> { Object a = forks[Math.min(k, (k + 1) % 5)],
                b = forks[Math.max(k, (k + 1) % 5)];
                for (int m = 0; m < 100; m++) { synchronized (a) { Thread.yield(); synchronized (b) { ate(); } } } });
            ts.add(t);
            t.start();
        }
        for (Thread t : ts) t.join();
        System.out.println(meals);
        Account[] bank = new Account[6];
        for (int i = 0; i < 6; i++) bank[i] = new Account(i);
        ts.clear();
        for (int i = 0; i < 4; i++) {
            int seed = i;
            Thread t = new Thread(() -> { Random r = new Random(seed);
                for (int k = 0; k < 500; k++) { int a = r.nextInt(6), b = r.nextInt(6);
                if (a != b) move(bank[a], bank[b], r.nextInt(200)); } });
            ts.add(t);
            t.start();
        }
        for (Thread t : ts) t.join();
        int sum = 0;
        boolean neg = false;
        for (Account a : bank) { sum += a.money; neg |= a.money < 0; }
        System.out.println(sum + " " + neg);
        int[] seen = new int[4];
        ts.clear();
        Lazy[] ls = new Lazy[4];
        for (int i = 0; i < 4; i++) {
            int k = i;
            Thread t = new Thread(() -> { seen[k] = Once.get(); ls[k] = Lazy.get(); });
            ts.add(t);
            t.start();
        }
        for (Thread t : ts) t.join();
        System.out.println(Arrays.toString(seen) + " " + Lazy.made + (ls[0] == ls[3]));
        Mono m = new Mono();
        ts.clear();
        for (int i = 0; i < 4; i++) {
            Thread t = new Thread(() -> { for (int k = 0; k < 200; k++) { m.bump();
                try { m.fail(); } catch (IllegalStateException e) { } } });
            ts.add(t);
            t.start();
        }
        for (Thread t : ts) t.join();
        System.out.println(m.bump() + " " + Thread.holdsLock(m));
        long[] res = new long[3];
        ts.clear();
        for (int i = 0; i < 3; i++) {
            int k = i;
            Thread t = new Thread(() -> { long x = k;
                for (int j = 0; j < 20000; j++) x = x * 6364136223846793005L + 1442695040888963407L; res[k] = x; });
            ts.add(t);
            t.start();
        }
        for (Thread t : ts) t.join();
        System.out.println(Arrays.toString(res));
        StringBuilder order = new StringBuilder();
        Thread prev = null;
        for (int i = 0; i < 10; i++) {
            Thread p = prev;
            int k = i;
            Thread t = new Thread(() -> { if (p != null) try { p.join(); } catch (InterruptedException e) {
                } order.append(k); });
            t.start();
            prev = t;
        }
        prev.join();
        System.out.println(order);
        Integer boxed = 5;
        String lit = "lock";
        synchronized (boxed) {
            synchronized (lit) { System.out.println(Thread.holdsLock(boxed) + " " + Thread.holdsLock("lock")); }
        }
        int[] arr = {0};
        synchronized (arr) { arr.notify(); }
        System.out.println("ok");
    }
}
