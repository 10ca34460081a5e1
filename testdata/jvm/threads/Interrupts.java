// Interruption reaching every kind of blocking call: sleep, wait, join, park, queues, latches, locks, channels, futures.
import java.io.*;
import java.nio.channels.*;
import java.util.concurrent.*;
import java.util.concurrent.locks.*;

public class Interrupts {
    interface B { void run() throws Exception; }
    static void hit(String n, B b) throws Exception {
        Thread t = new Thread(() -> { try { b.run();
            System.out.println(n + " returned " + Thread.currentThread().isInterrupted()); } catch (Exception e) {
            System.out.println(n + " " + e.getClass().getSimpleName() + " " + Thread.currentThread().isInterrupted());
            } });
        t.start();
        while (t.getState() == Thread.State.NEW || t.getState() == Thread.State.RUNNABLE) {
            Thread.sleep(1);
            if (!t.isAlive()) break;
        }
        t.interrupt();
        t.join();
    }
    static void pre(String n, B b) throws Exception {
        Thread t = new Thread(() -> { Thread.currentThread().interrupt();
            try { b.run(); System.out.println("pre " + n + " returned " + Thread.currentThread().isInterrupted());
            } catch (Exception e) { System.out.println("pre " + n + " " + e.getClass().getSimpleName() + " "
            + Thread.currentThread().isInterrupted()); } });
        t.start();
        t.join();
    }
    public static void main(String[] args) throws Exception {
        Object lock = new Object();
        Thread forever = new Thread(() -> { try { Thread.sleep(1000000); } catch (InterruptedException e) { } });
        forever.setDaemon(true);
        forever.start();
        ReentrantLock rl = new ReentrantLock();
        rl.lock();
        Condition c = new ReentrantLock().newCondition();
        ReentrantLock cl = new ReentrantLock();
        Condition cc = cl.newCondition();
        B[] bs = {
            () -> Thread.sleep(100000), () -> {
                synchronized (lock) { lock.wait(); }
            }, forever::join, LockSupport::park, () -> LockSupport.parkNanos(100_000_000_000L),
                () -> new LinkedBlockingQueue<>().take(), () -> new SynchronousQueue<>().put(1),
                () -> new ArrayBlockingQueue<>(1).poll(100, TimeUnit.SECONDS), () -> new CountDownLatch(1).await(),
                rl::lockInterruptibly, () -> rl.tryLock(100, TimeUnit.SECONDS), () -> {
                cl.lock();
                try { cc.await(); } finally { cl.unlock(); }
            }, () -> new Semaphore(0).acquire(), () -> new CyclicBarrier(2).await(),
                () -> new CompletableFuture<>().get(), () -> new FutureTask<>(() -> 1).get(),
                () -> new Exchanger<>().exchange(1), () -> new Phaser(1).awaitAdvanceInterruptibly(0),
                () -> TimeUnit.SECONDS.sleep(100), () -> new PriorityBlockingQueue<>().take(),
                () -> new LinkedTransferQueue<>().transfer(1), () -> forever.join(100000)
        };
        String[] ns
            =
            "sleep wait join park parkNanos lbq sync abq latch lockInt tryLock await sem barrier cf ft exch phaser tu pbq transfer joinT".split(" ");
        for (int i = 0; i < bs.length; i++) hit(ns[i], bs[i]);
        for (int i = 0; i < bs.length; i++) pre(ns[i], bs[i]);
        PipedInputStream in = new PipedInputStream(new PipedOutputStream());
        hit("pipe", in::read);
        Pipe p = Pipe.open();
        pre("channel", () -> p.source().read(java.nio.ByteBuffer.allocate(1)));
        System.out.println(p.source().isOpen());
        try { c.signal(); } catch (IllegalMonitorStateException e) { System.out.println("imse"); }
        Thread dead = new Thread(() -> { });
        dead.start();
        dead.join();
        dead.interrupt();
        System.out.println(dead.isInterrupted());
        Thread fresh = new Thread(() -> System.out.println("fresh " + Thread.interrupted()));
        fresh.interrupt();
        fresh.start();
        fresh.join();
    }
}
