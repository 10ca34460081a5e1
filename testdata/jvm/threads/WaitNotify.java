// wait/notify protocols: bounded buffers, ping-pong, notify against notifyAll, spurious-proof loops, nested monitors, timeouts.
import java.util.*;

public class WaitNotify {
    static class Buffer {
        final int[] d = new int[4];
        int in, out, n;
        synchronized void put(int v) throws InterruptedException {
            while (n == d.length) wait();
            d[in++ % 4] = v;
            n++;
            notifyAll();
        }
        synchronized int take() throws InterruptedException {
            while (n == 0) wait();
            int v = d[out++ % 4];
            n--;
            notifyAll();
            return v;
        }
    }
    static class Turn {
        int turn;
        final StringBuilder sb = new StringBuilder();
        synchronized void play(int me, int of, String s) throws InterruptedException {
            while (turn % of != me) wait();
            sb.append(s);
            turn++;
            notifyAll();
        }
    }
    static Thread go(String n, Body b) {
        Thread t = new Thread(() -> { try { b.run(); } catch (InterruptedException e) {
            System.out.println(n + " interrupted"); } }, n);
        t.start();
        return t;
    }
    interface Body { void run() throws InterruptedException; }
    public static void main(String[] args) throws Exception {
        Buffer buf = new Buffer();
        long[] sums = new long[2];
        List<Thread> ts = new ArrayList<>();
        for (int p = 0; p < 2; p++) {
            int q = p;
            ts.add(go("p" + p, () -> { for (int i = 0; i < 300; i++) buf.put(i * 2 + q); }));
            ts.add(go("c" + p, () -> { for (int i = 0; i < 300; i++) sums[q] += buf.take(); }));
        }
        for (Thread t : ts) t.join();
        System.out.println(sums[0] + sums[1] + " " + buf.n);
        Turn turn = new Turn();
        ts.clear();
        for (int i = 0; i < 3; i++) {
            int me = i;
            ts.add(go("r" + i, () -> { for (int k = 0; k < 20; k++) turn.play(me, 3, "abc".substring(me, me + 1)); }));
        }
        for (Thread t : ts) t.join();
        System.out.println(turn.sb);
        Object lock = new Object();
        int[] woken = {0};
        ts.clear();
        for (int i = 0; i < 5; i++) ts.add(go("w" + i, () -> { synchronized (lock) { lock.wait(); woken[0]++; } }));
        for (Thread t : ts) while (t.getState() != Thread.State.WAITING) Thread.sleep(1);
        synchronized (lock) { lock.notify(); lock.notify(); }
        int tries = 0;
        while (tries++ < 1000) { synchronized (lock) { if (woken[0] == 2) break; } Thread.sleep(1); }
        Thread.sleep(5);
        synchronized (lock) { System.out.println("woken " + woken[0]); lock.notifyAll(); }
        for (Thread t : ts) t.join();
        System.out.println("all " + woken[0]);
        Object outer = new Object(), inner = new Object();
        boolean[] got = {false};
        Thread t = go("nested", () -> { synchronized (outer) {
            synchronized (inner) { inner.wait(); got[0] = true; } } });
        while (t.getState() != Thread.State.WAITING) Thread.sleep(1);
        synchronized (inner) { System.out.println("inner free while waiting"); inner.notify(); }
        t.join();
        System.out.println(got[0]);
        synchronized (lock) {
            long t0 = System.nanoTime();
            lock.wait(20);
            System.out.println("timeout " + (System.nanoTime() - t0 >= 15_000_000L));
        }
        Thread in = go("inter", () -> { synchronized (lock) { lock.wait(); } });
        while (in.getState() != Thread.State.WAITING) Thread.sleep(1);
        in.interrupt();
        in.join();
        Thread pre = go("pre", () -> { Thread.currentThread().interrupt(); synchronized (lock) { lock.wait(1000); } });
        pre.join();
        int[] re = {0};
        Thread rec = go("rec", () -> { synchronized (lock) {
            synchronized (lock) { synchronized (lock) { lock.wait(); re[0] = Thread.holdsLock(lock) ? 1 : 0; } re[0]++;
            } re[0] += Thread.holdsLock(lock) ? 10 : 0; } re[0] += Thread.holdsLock(lock) ? 100 : 0; });
        while (rec.getState() != Thread.State.WAITING) Thread.sleep(1);
        synchronized (lock) { lock.notifyAll(); }
        rec.join();
        System.out.println(re[0]);
        Class<?> c = WaitNotify.class;
        Thread st = go("static", () -> { synchronized (c) { c.wait(); } });
        while (st.getState() != Thread.State.WAITING) Thread.sleep(1);
        sync();
        st.join();
        System.out.println("done");
    } static synchronized void sync() { WaitNotify.class.notify(); }
}
