// ReentrantLock, conditions, read-write and stamped locks, LockSupport, semaphores, latches, barriers, Phaser, Exchanger.
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.concurrent.locks.*;

public class Locks {
    static Thread go(Runnable r) { Thread t = new Thread(r); t.start(); return t; }
    static void state(Thread t, Thread.State... s) throws InterruptedException {
        while (!Arrays.asList(s).contains(t.getState())) Thread.sleep(1);
    }
    interface T { Object run() throws Throwable; }
    static void t(String k, T r) {
        try {
            System.out.println(k + " " + r.run());
        } catch (Throwable e) {
            System.out.println(k + " !" + e.getClass().getSimpleName() + ": " + e.getMessage());
        }
    }
    public static void main(String[] args) throws Exception {
        ReentrantLock l = new ReentrantLock(true);
        l.lock();
        l.lock();
        System.out.println(l.getHoldCount() + " " + l.isLocked() + l.isHeldByCurrentThread() + l.isFair()
            + l.toString().replaceAll(".*\\[", "["));
        Thread w = go(() -> { l.lock(); try { System.out.println("second"); } finally { l.unlock(); } });
        while (!l.hasQueuedThread(w)) Thread.sleep(1);
        System.out.println(l.hasQueuedThreads() + " " + l.getQueueLength() + l.hasQueuedThread(w));
        l.unlock();
        l.unlock();
        w.join();
        t("unlock", () -> { l.unlock(); return 0; });
        System.out.println(l.tryLock() + " " + l.tryLock(1, TimeUnit.MILLISECONDS));
        Thread o = go(() -> { try { System.out.println(l.tryLock() + " " + l.tryLock(2, TimeUnit.MILLISECONDS));
            } catch (InterruptedException e) { } });
        o.join();
        l.unlock();
        Thread li = go(() -> { try { l.lockInterruptibly(); } catch (InterruptedException e) {
            System.out.println("lock interrupted"); } });
        state(li, Thread.State.WAITING);
        li.interrupt();
        li.join();
        l.unlock();
        Condition c = l.newCondition();
        AtomicInteger hits = new AtomicInteger();
        List<Thread> ts = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            ts.add(go(() -> {
                l.lock();
                try {
                    c.await();
                    hits.incrementAndGet();
                } catch (InterruptedException e) {
                    hits.addAndGet(100);
                } finally {
                    l.unlock();
                }
            }));
            // One after the other, so that the order in the queue is known.
            for (int n = 0; n <= i; l.unlock()) {
                Thread.sleep(1);
                l.lock();
                n = l.getWaitQueueLength(c);
            }
        }
        l.lock();
        System.out.println(l.getWaitQueueLength(c));
        c.signal();
        l.unlock();
        while (hits.get() < 1) Thread.sleep(1);
        ts.get(2).interrupt();
        while (hits.get() < 101) Thread.sleep(1);
        l.lock();
        c.signalAll();
        l.unlock();
        for (Thread t : ts) t.join();
        System.out.println(hits);
        t("await", () -> c.await(1, TimeUnit.MILLISECONDS));
        l.lock();
        t("await2", () -> c.await(1, TimeUnit.MILLISECONDS));
        t("nanos", () -> c.awaitNanos(1000) <= 0);
        l.unlock();
        ReentrantReadWriteLock rw = new ReentrantReadWriteLock();
        rw.readLock().lock();
        rw.readLock().lock();
        System.out.println(rw.getReadLockCount() + " " + rw.getReadHoldCount() + rw.writeLock().tryLock());
        Thread r2 = go(() -> { System.out.println(rw.readLock().tryLock()); rw.readLock().unlock(); });
        r2.join();
        rw.readLock().unlock();
        rw.readLock().unlock();
        rw.writeLock().lock();
        rw.readLock().lock();
        rw.writeLock().unlock();
        System.out.println("downgraded " + rw.getReadLockCount());
        rw.readLock().unlock();
        t("rw unlock", () -> { rw.readLock().unlock(); return 0; });
        StampedLock sl = new StampedLock();
        long st = sl.tryOptimisticRead();
        System.out.println(sl.validate(st));
        long ws = sl.writeLock();
        System.out.println(sl.validate(st) + " " + sl.isWriteLocked() + (sl.tryReadLock() == 0));
        long rs = sl.tryConvertToReadLock(ws);
        System.out.println(rs != 0);
        sl.unlockRead(rs);
        t("bad stamp", () -> { sl.unlock(5); return 0; });
        Thread pk = go(() -> { LockSupport.park(); System.out.println("unparked " + Thread.interrupted());
            LockSupport.park("blocker"); System.out.println("again " + Thread.interrupted()); });
        state(pk, Thread.State.WAITING);
        LockSupport.unpark(pk);
        while (!"blocker".equals(LockSupport.getBlocker(pk))) Thread.sleep(1);
        pk.interrupt();
        pk.join();
        LockSupport.unpark(Thread.currentThread());
        LockSupport.park();
        LockSupport.parkNanos(1000);
        LockSupport.parkUntil(System.currentTimeMillis() + 2);
        System.out.println("permit");
        Semaphore sem = new Semaphore(2, true);
        sem.acquire();
        System.out.println(sem.tryAcquire() + " " + sem.tryAcquire() + sem.availablePermits());
        Thread sw = go(() -> { sem.acquireUninterruptibly(2); System.out.println("two permits"); });
        while (!sem.hasQueuedThreads()) Thread.sleep(1);
        sem.release();
        sem.release();
        sw.join();
        System.out.println(sem.drainPermits());
        CountDownLatch cd = new CountDownLatch(3);
        for (int i = 0; i < 3; i++) go(cd::countDown);
        System.out.println(cd.await(5, TimeUnit.SECONDS) + " " + cd.getCount()
            + new CountDownLatch(1).await(1, TimeUnit.MILLISECONDS));
        AtomicInteger trips = new AtomicInteger();
        CyclicBarrier cb = new CyclicBarrier(3, trips::incrementAndGet);
        ts.clear();
        for (int i = 0; i < 3; i++)
            ts.add(go(() -> { try { for (int k = 0; k < 4; k++) cb.await(); } catch (Exception e) {
                System.out.println(e); } }));
        for (Thread t : ts) t.join();
        System.out.println(trips + " " + cb.isBroken() + cb.getParties());
        String[] how = {""};
        Thread lone = go(() -> { try { cb.await(); } catch (BrokenBarrierException e) {
            how[0] = "broken " + e.getMessage(); } catch (InterruptedException e) { how[0] = "interrupted"; } });
        while (cb.getNumberWaiting() == 0) Thread.sleep(1);
        t("barrier timeout", () -> cb.await(2, TimeUnit.MILLISECONDS));
        lone.join(); System.out.println(how[0] + cb.isBroken());
        cb.reset();
        Phaser ph = new Phaser(1) {
            @Override protected boolean onAdvance(int phase, int parties) {
                System.out.println("phase " + phase + " " + parties);
                return phase == 2 || parties == 0;
            }
        };
        for (int i = 0; i < 2; i++) {
            ph.register();
            go(() -> { while (!ph.isTerminated()) ph.arriveAndAwaitAdvance(); });
        }
        for (int i = 0; i < 3; i++) ph.arriveAndAwaitAdvance();
        System.out.println(ph.isTerminated() + " " + (ph.getPhase() < 0) + ph.arrive() / Integer.MIN_VALUE);
        Exchanger<String> ex = new Exchanger<>();
        String[] got = new String[2];
        Thread e1 = go(() -> { try { got[0] = ex.exchange("from1"); } catch (InterruptedException e) { } });
        got[1] = ex.exchange("from2");
        e1.join();
        System.out.println(got[0] + got[1]);
        t("exchange timeout", () -> ex.exchange("x", 1, TimeUnit.MILLISECONDS));
        AtomicLong al = new AtomicLong();
        LongAdder la = new LongAdder();
        LongAccumulator mx = new LongAccumulator(Math::max, 0);
        AtomicReference<String> ar = new AtomicReference<>("a");
        AtomicIntegerArray aia = new AtomicIntegerArray(3);
        AtomicStampedReference<String> asr = new AtomicStampedReference<>("s", 1);
        AtomicMarkableReference<String> amr = new AtomicMarkableReference<>("m", false);
        ts.clear();
        for (int i = 0; i < 4; i++) {
            int id = i;
            ts.add(go(() -> { for (int k = 0; k < 500; k++) { al.incrementAndGet(); la.add(2);
                mx.accumulate(id * 1000 + k); aia.getAndIncrement(k % 3); } }));
        }
        for (Thread t : ts) t.join();
        System.out.println(al + " " + la + " " + mx + " " + aia + " " + al.getAndUpdate(x -> x * 2)
            + al.accumulateAndGet(5, Long::sum) + " " + ar.compareAndSet("a", "b") + ar.updateAndGet(x -> x + "c")
            + asr.compareAndSet("s", "t", 1, 2) + asr.getStamp() + amr.attemptMark("m", true) + amr.isMarked()
            + la.sumThenReset() + la);
    }
}
