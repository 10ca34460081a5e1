// Class initialisation by several threads: one runs, the others wait; failures are seen by all; cycles between two threads.
import java.util.*;
import java.util.concurrent.*;

public class ClassInitThreads {
    static final CountDownLatch started = new CountDownLatch(1), go = new CountDownLatch(1);
    static final List<String> log = Collections.synchronizedList(new ArrayList<>());
    static class Slow {
        static int v;
        static {
            log.add("slow begins");
            started.countDown();
            try { go.await(); } catch (InterruptedException e) { }
            v = 7;
            log.add("slow ends");
        }
        static int get() { return v; }
        static int early = 0;
    }
    static class Fails { static { if (true) throw new IllegalStateException("init fails"); } static void touch() { } }
    static class SelfUse {
        static int a = other();
        static int b = 5;
        static int other() { return b + 1; }
        static final Thread t = new Thread(() -> { });
    }
    static class Parent { static String s; static { s = "parent by " + Thread.currentThread().getName(); } }
    static class Kid extends Parent { static String s2 = s + "/kid"; }
    public static void main(String[] args) throws Exception {
        Thread a = new Thread(() -> log.add("a " + Slow.get()), "a"),
            b = new Thread(() -> log.add("b " + Slow.get()), "b");
        a.start();
        started.await();
        b.start();
        Thread.sleep(20);
        System.out.println(log + " " + b.isAlive());
        go.countDown();
        a.join();
        b.join();
        System.out.println(log.subList(0, 2) + " " + new TreeSet<>(log.subList(2, 4)));
        List<String> errs = Collections.synchronizedList(new ArrayList<>());
        for (int i = 0; i < 3; i++) {
            Thread t = new Thread(() -> { try { Fails.touch(); } catch (Throwable e) {
                errs.add(e.getClass().getSimpleName() + " " + e.getMessage()); } });
            t.start();
            t.join();
        }
        System.out.println(errs);
        System.out.println(SelfUse.a + " " + SelfUse.b);
        Thread k = new Thread(() -> System.out.println(Kid.s2), "kt");
        k.start();
        k.join();
        System.out.println(Parent.s);
        ConcurrentLinkedQueue<Integer> seen = new ConcurrentLinkedQueue<>();
        Thread[] ts = new Thread[6];
        for (int i = 0; i < ts.length; i++) { ts[i] = new Thread(() -> seen.add(Holder.INSTANCE.id)); ts[i].start(); }
        for (Thread t : ts) t.join();
        System.out.println(new HashSet<>(seen) + " " + Holder.count);
    }
    static class Holder { static int count; static final Holder INSTANCE = new Holder(); final int id = ++count; }
}
