// Thread.suspend, resume and stop: what a thread does between them, and what it throws.

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

@SuppressWarnings({"removal", "deprecation"})
public class StopSuspend {
    static volatile boolean stop;
    static final Object LOCK = new Object();

    public static void main(String[] args) throws Exception {
        suspended();
        suspendedWhileItSleeps();
        suspendsItself();
        for (String how : new String[] {"spins", "sleeps", "waits", "parks", "locks"}) {
            stopped(how);
        }
        caught();
        itself();
        notStarted();
    }

    static void suspended() throws Exception {
        AtomicInteger count = new AtomicInteger();
        Thread t = new Thread(() -> {
            while (!stop) {
                count.incrementAndGet();
                Thread.yield();
            }
        });
        t.start();
        while (count.get() == 0) {
            Thread.sleep(1);
        }
        t.suspend();
        Thread.sleep(20);
        int before = count.get();
        Thread.sleep(50);
        System.out.println("suspended: " + (count.get() == before) + " alive " + t.isAlive());
        t.resume();
        while (count.get() == before) {
            Thread.sleep(1);
        }
        stop = true;
        t.join();
        System.out.println("resumed, " + t.getState());
    }

    static void suspendedWhileItSleeps() throws Exception {
        StringBuffer log = new StringBuffer();
        Thread t = new Thread(() -> {
            try {
                Thread.sleep(50);
                log.append("woke");
            } catch (InterruptedException e) {
                log.append(e);
            }
        });
        t.start();
        Thread.sleep(10);
        t.suspend();
        Thread.sleep(200);
        System.out.println("asleep and suspended: [" + log + "]");
        t.resume();
        t.join();
        System.out.println("then: " + log);
    }

    static void suspendsItself() throws Exception {
        AtomicInteger step = new AtomicInteger();
        Thread t = new Thread(() -> {
            step.set(1);
            Thread.currentThread().suspend();
            step.set(2);
        });
        t.start();
        Thread.sleep(100);
        System.out.println("at step " + step);
        t.resume();
        t.join();
        System.out.println("at step " + step);
    }

    static void stopped(String how) throws Exception {
        StringBuffer log = new StringBuffer();
        AtomicInteger started = new AtomicInteger();
        Thread t = new Thread(() -> {
            synchronized (log) {
                try {
                    started.set(1);
                    act(how, log);
                } catch (InterruptedException e) {
                    log.append("interrupted");
                } finally {
                    log.append("finally, holds its lock: ").append(Thread.holdsLock(log));
                }
            }
        });
        t.setUncaughtExceptionHandler((thread, e) -> log.append("; ").append(e));
        synchronized (LOCK) {
            t.start();
            while (started.get() == 0) {
                Thread.sleep(1);
            }
            Thread.sleep(30);
            t.stop();
            if (how.equals("locks")) {
                Thread.sleep(30);
                System.out.println("still waits for the monitor: " + t.isAlive());
            }
        }
        t.join();
        synchronized (log) {
            System.out.println(how + ": " + log);
        }
    }

    static void act(String how, StringBuffer log) throws InterruptedException {
        switch (how) {
            case "spins":
                for (long i = 0; ; i++) {
                    if (i < 0) {
                        break;
                    }
                }
                break;
            case "sleeps":
                Thread.sleep(1_000_000);
                break;
            case "waits":
                log.wait();
                break;
            case "parks":
                while (true) {
                    LockSupport.park();
                }
            default:
                synchronized (LOCK) {
                    for (long i = 0; i >= 0; i++) {
                        Thread.yield();
                    }
                }
        }
        log.append("went on; ");
    }

    static void caught() throws Exception {
        StringBuffer log = new StringBuffer();
        Thread t = new Thread(() -> {
            try {
                Thread.sleep(1_000_000);
            } catch (ThreadDeath e) {
                log.append("caught ").append(e);
            } catch (InterruptedException e) {
                log.append("interrupted");
            }
            log.append(", goes on");
        });
        t.start();
        Thread.sleep(30);
        t.stop();
        t.join();
        System.out.println(log);
    }

    static void itself() {
        try {
            Thread.currentThread().stop();
            System.out.println("not reached");
        } catch (ThreadDeath e) {
            System.out.println("stopped itself: " + e.getMessage());
        }
    }

    static void notStarted() throws Exception {
        Thread t = new Thread(() -> System.out.println("not reached"));
        t.stop();
        t.start();
        t.join();
        System.out.println("stopped before its start: " + t.getState());
    }
}
