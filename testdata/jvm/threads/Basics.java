// Threads: states, names, groups, join, interrupt, daemon, priorities, uncaught handlers, double start, locals.
import java.util.*;
import java.util.concurrent.*;

public class Basics {
    static synchronized void sinc() { n++; }
    static int n;
    static volatile boolean stop;
    static void await(Thread t, Thread.State s) throws Exception { while (t.getState() != s) Thread.sleep(1); }
    interface T { Object run() throws Throwable; }
    static void t(String k, T r) {
        try { System.out.println(k + " " + r.run()); } catch (Throwable e) { System.out.println(k + " !" + e); }
    }
    public static void main(String[] args) throws Exception {
        Thread a = new Thread(() -> { for (int i = 0; i < 1000; i++) sinc(); }, "adder");
        System.out.println(a.getState() + " " + a.isAlive() + a.isDaemon() + a.getPriority() + a.getName()
            + a.getThreadGroup().getName() + a.isInterrupted());
        a.start();
        for (int i = 0; i < 1000; i++) sinc();
        a.join();
        System.out.println(n + " " + a.getState() + a.isAlive() + a.getThreadGroup() + " " + a);
        t("restart", () -> { a.start(); return 0; });
        Object lock = new Object();
        Thread w = new Thread(() -> { synchronized (lock) {
            try { lock.wait(); } catch (InterruptedException e) {
            System.out.println("int " + Thread.currentThread().isInterrupted()); } } });
        w.start();
        await(w, Thread.State.WAITING);
        System.out.println(w.getState());
        w.interrupt();
        w.join();
        Thread s = new Thread(() -> { try { Thread.sleep(100000); } catch (InterruptedException e) {
            System.out.println("sleep " + e.getMessage()); } });
        s.start();
        await(s, Thread.State.TIMED_WAITING);
        s.interrupt();
        s.join();
        Thread b = new Thread(() -> { synchronized (lock) { System.out.println("got lock"); } });
        synchronized (lock) { b.start(); await(b, Thread.State.BLOCKED); System.out.println(b.getState()); }
        b.join();
        Thread busy = new Thread(() -> { while (!stop) Thread.onSpinWait(); });
        busy.start();
        await(busy, Thread.State.RUNNABLE);
        busy.join(5);
        System.out.println(busy.isAlive());
        stop = true;
        busy.join();
        Thread.currentThread().interrupt();
        t("sleep int", () -> { Thread.sleep(1); return 0; });
        Thread.currentThread().interrupt();
        t("join int", () -> { busy.join(); return "no throw"; });
        Thread.interrupted();
        Thread.currentThread().interrupt();
        System.out.println(Thread.currentThread().isInterrupted() + " " + Thread.interrupted() + Thread.interrupted());
        t("sleep neg", () -> { Thread.sleep(-1); return 0; });
        t("prio", () -> { a.setPriority(0); return 0; });
        t("daemon alive", () -> { Thread.currentThread().setDaemon(true); return 0; });
        t("join neg", () -> { a.join(-1); return 0; });
        List<String> log = Collections.synchronizedList(new ArrayList<>());
        Thread u = new Thread(() -> { throw new IllegalStateException("dead"); }, "u");
        u.setUncaughtExceptionHandler((th, e) -> log.add(th.getName() + e.getMessage()));
        u.start();
        u.join();
        Thread.setDefaultUncaughtExceptionHandler((th, e) -> log.add("default " + th.getName() + " " + e));
        Thread v = new Thread(() -> { Object o = "s"; Integer i = (Integer) o; }, "v");
        v.start();
        v.join();
        Thread bad = new Thread(() -> { throw new Error("first"); }, "bad");
        bad.setUncaughtExceptionHandler((th, e) -> { throw new RuntimeException("in handler"); });
        bad.start();
        bad.join();
        ThreadGroup g = new ThreadGroup("grp") {
            @Override public void uncaughtException(Thread th, Throwable e) { log.add("group " + e.getMessage()); }
        };
        Thread x = new Thread(g, () -> { throw new RuntimeException("x"); });
        x.start();
        x.join();
        System.out.println(log.toString().replaceAll("class java.lang.String cannot.*?'bootstrap'\\)", "CCE"));
        Thread.setDefaultUncaughtExceptionHandler(null);
        System.out.println((a.getUncaughtExceptionHandler() == null) + " " + g.getParent().getName()
            + g.getMaxPriority() + g.activeCount() + g.isDaemon() + " " + g.toString().replaceAll("Basics\\$\\d", "G"));
        Thread sub = new Thread("sub") {
            @Override public void run() { System.out.println("sub " + getName() + " " + (currentThread() == this)); }
        };
        sub.start();
        sub.join();
        Thread d = new Thread(() -> { Thread kid = new Thread(() -> { });
            System.out.println(kid.isDaemon() + " " + kid.getPriority()); });
        d.setDaemon(true);
        d.setPriority(7);
        d.start();
        d.join();
        new Thread() { }.run();
        System.out.println(Thread.currentThread().getId() + " " + (new Thread().getId() != new Thread().getId()) + " "
            + Thread.activeCount() + " " + new Thread("named").getName() + " "
            + new Thread().getName().startsWith("Thread-") + " " + Thread.holdsLock(lock));
        ConcurrentSkipListSet<String> names = new ConcurrentSkipListSet<>();
        List<Thread> many = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            Thread q = new Thread(() -> names.add(Thread.currentThread().getName()), String.format("t%02d", i));
            many.add(q);
            q.start();
        }
        for (Thread q : many) q.join();
        System.out.println(names.size() + names.first() + names.last());
    }
}
