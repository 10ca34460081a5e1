// Cleaner actions, finalizers run once, resurrection, runFinalization, order-independent counts.
import java.lang.ref.*;
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;

public class CleanerAndFinalizers {
    static final Cleaner CLEANER = Cleaner.create();
    static final AtomicInteger cleaned = new AtomicInteger(), finalized = new AtomicInteger();
    static volatile Object saved;
    static class Res implements AutoCloseable {
        final Cleaner.Cleanable c;
        Res(int n) { c = CLEANER.register(this, new State(n)); }
        public void close() { c.clean(); }
    }
    record State(int n) implements Runnable { public void run() { cleaned.addAndGet(n); } }
    @SuppressWarnings({"deprecation", "removal"}) static class Fin {
        final boolean rise;
        Fin(boolean r) { rise = r; }
        @Override protected void finalize() { finalized.incrementAndGet(); if (rise) saved = this; }
    }
    @SuppressWarnings({"deprecation", "removal"}) static class Thrower {
        @Override protected void finalize() { finalized.addAndGet(100); throw new RuntimeException("ignored"); }
    }
    static class SubFin extends Fin {
        SubFin() { super(false); }
        @Override protected void finalize() { finalized.addAndGet(1000); super.finalize(); }
    }
    static class HalfBuilt {
        HalfBuilt() { throw new IllegalStateException("half"); }
        @Override protected void finalize() { finalized.addAndGet(10000); }
    }
    static void make(int n) { for (int i = 0; i < n; i++) new Res(1); }
    static void fins(int n) { for (int i = 0; i < n; i++) new Fin(false); }
    static void rise() { new Fin(true); }
    static void others() {
        new Thrower();
        new SubFin();
        try { new HalfBuilt(); } catch (IllegalStateException e) { System.out.println("half built"); }
    }
    static boolean until(java.util.function.BooleanSupplier b) throws Exception {
        for (int i = 0; i < 100 && !b.getAsBoolean(); i++) { System.gc(); System.runFinalization(); Thread.sleep(10); }
        return b.getAsBoolean();
    }
    public static void main(String[] args) throws Exception {
        try (Res r = new Res(1000)) { System.out.println(cleaned.get()); }
        System.out.println(cleaned.get());
        Res once = new Res(5);
        once.close();
        once.close();
        System.out.println(cleaned.get());
        make(10);
        System.out.println(until(() -> cleaned.get() == 1015) + " " + cleaned.get());
        fins(20);
        System.out.println(until(() -> finalized.get() == 20) + " " + finalized.get());
        rise();
        System.out.println(until(() -> saved != null) + " " + (saved instanceof Fin));
        finalized.set(0);
        saved = null;
        System.gc();
        System.runFinalization();
        Thread.sleep(30);
        System.out.println("not again " + finalized.get());
        others();
        System.out.println(until(() -> finalized.get() == 11101) + " " + finalized.get());
        Reference.reachabilityFence(once);
        CountDownLatch l = new CountDownLatch(1);
        Thread[] t = new Thread[1];
        CLEANER.register(new Object(), () -> { t[0] = Thread.currentThread(); l.countDown(); });
        for (int i = 0; i < 100 && l.getCount() > 0; i++) { System.gc(); l.await(20, TimeUnit.MILLISECONDS); }
        System.out.println(l.getCount() + " " + t[0].isDaemon() + " " + t[0].getName().startsWith("Cleaner-"));
        try { CLEANER.register(null, () -> { }); } catch (NullPointerException e) { System.out.println("npe"); }
        Cleaner.Cleanable bad = CLEANER.register(new Object(),
            () -> { throw new IllegalStateException("from clean"); });
        try {
            bad.clean();
            System.out.println("thrown? no");
        } catch (IllegalStateException e) {
            System.out.println(e.getMessage());
        }
    }
}
