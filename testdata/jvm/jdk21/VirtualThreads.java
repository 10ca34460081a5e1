// Virtual threads (JEP 444): what can be said of them without naming a carrier.
import java.time.Duration;
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.concurrent.locks.*;
import java.util.logging.*;

public class VirtualThreads {
    static final ThreadLocal<String> LOCAL = ThreadLocal.withInitial(() -> "initial");

    public static void main(String[] args) throws Exception {
        Thread t = Thread.ofVirtual().name("one").unstarted(() -> System.out.println("runs in " + Thread.currentThread().getName()));
        System.out.println(t.isVirtual() + " " + t.isDaemon() + " " + t.getPriority() + " " + t.getState() + " "
            + t.getThreadGroup().getName() + " " + t.isAlive());
        t.start();
        t.join();
        System.out.println(t.getState() + " " + t.isAlive() + " " + t.getThreadGroup());
        t.setPriority(Thread.MAX_PRIORITY);
        System.out.println(t.getPriority());
        try {
            t.setDaemon(false);
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
        System.out.println("[" + Thread.startVirtualThread(() -> { }).getName() + "]");

        try (var executor = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Integer>> futures = new ArrayList<>();
            for (int i = 0; i < 1000; i++) {
                int n = i;
                futures.add(executor.submit(() -> {
                    Thread.sleep(Duration.ofMillis(n % 10));
                    return n;
                }));
            }
            long sum = 0;
            for (Future<Integer> f : futures) {
                sum += f.get();
            }
            System.out.println(sum + " " + futures.get(0).state() + " " + futures.get(7).resultNow());
        }

        Object lock = new Object();
        int[] counter = {0};
        ReentrantLock fair = new ReentrantLock(true);
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            threads.add(Thread.startVirtualThread(() -> {
                for (int k = 0; k < 20; k++) {
                    synchronized (lock) {
                        counter[0]++;
                        Thread.yield();
                    }
                    fair.lock();
                    try {
                        counter[0]++;
                        LockSupport.parkNanos(10);
                    } finally {
                        fair.unlock();
                    }
                }
            }));
        }
        for (Thread thread : threads) {
            thread.join();
        }
        System.out.println(counter[0]);

        Thread sleeper = Thread.ofVirtual().start(() -> {
            try {
                Thread.sleep(1_000_000);
            } catch (InterruptedException e) {
                System.out.println("interrupted " + Thread.currentThread().isInterrupted());
            }
        });
        while (sleeper.getState() != Thread.State.TIMED_WAITING) {
            Thread.sleep(1);
        }
        sleeper.interrupt();
        System.out.println(sleeper.join(Duration.ofSeconds(10)));

        Thread waiter = Thread.ofVirtual().start(() -> {
            synchronized (lock) {
                try {
                    lock.wait();
                } catch (InterruptedException e) {
                    System.out.println("never");
                }
            }
            System.out.println("notified");
        });
        while (waiter.getState() != Thread.State.WAITING) {
            Thread.sleep(1);
        }
        synchronized (lock) {
            lock.notifyAll();
        }
        waiter.join();

        LOCAL.set("main's");
        Thread.ofVirtual().start(() -> System.out.println(LOCAL.get())).join();
        InheritableThreadLocal<String> inherited = new InheritableThreadLocal<>();
        inherited.set("from main");
        Thread.ofVirtual().start(() -> System.out.println(inherited.get())).join();
        Thread.ofVirtual().inheritInheritableThreadLocals(false).start(() -> System.out.println(inherited.get())).join();

        Thread failing = Thread.ofVirtual().name("failing").uncaughtExceptionHandler((th, e) ->
            System.out.println(th.getName() + " " + e.getMessage())).start(() -> {
                throw new IllegalStateException("as it should");
            });
        failing.join();

        Logger logger = Logger.getLogger("virtual");
        logger.setUseParentHandlers(false);
        logger.addHandler(new Handler() {
            public void publish(LogRecord r) {
                System.out.println(r.getLevel() + " " + r.getMessage());
            }
            public void flush() { }
            public void close() { }
        });
        Thread.ofVirtual().start(() -> logger.info("from a virtual thread")).join();

        ThreadFactory factory = Thread.ofVirtual().name("worker-", 5).factory();
        System.out.println(factory.newThread(() -> { }).getName() + " " + factory.newThread(() -> { }).getName());
        AtomicInteger seen = new AtomicInteger();
        Thread.getAllStackTraces().keySet().forEach(x -> { if (x.isVirtual()) seen.incrementAndGet(); });
        System.out.println(seen);
        StackWalker walker = StackWalker.getInstance();
        Thread.ofVirtual().start(() -> {
            boolean lambda = walker.walk(s -> s.findFirst().get().getMethodName().startsWith("lambda"));
            System.out.println(lambda);
        }).join();
        SynchronousQueue<String> queue = new SynchronousQueue<>();
        Thread.startVirtualThread(() -> {
            try {
                queue.put("handed over");
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        });
        System.out.println(queue.take());
    }
}
