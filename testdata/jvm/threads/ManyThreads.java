// jvm: -Xmx1g
// Thousands of threads at once: waiting, sleeping, woken one by one and all together.
import java.util.*;
import java.util.concurrent.locks.*;

public class ManyThreads {
    static int woken;
    static int slept;

    public static void main(String[] args) throws Exception {
        final int n = 3000;
        Object lock = new Object();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < n; i++) {
            int k = i;
            Thread t = new Thread(null, () -> {
                try {
                    synchronized (lock) {
                        lock.wait();
                        woken++;
                    }
                    Thread.sleep(k % 7);
                    LockSupport.parkNanos(1000);
                    synchronized (lock) {
                        slept++;
                    }
                } catch (InterruptedException e) {
                    System.out.println("interrupted");
                }
            }, "t" + i, 160 << 10);
            t.start();
            threads.add(t);
        }
        while (true) {
            int waiting = 0;
            for (Thread t : threads) {
                if (t.getState() == Thread.State.WAITING) {
                    waiting++;
                }
            }
            if (waiting == n) {
                break;
            }
            Thread.sleep(10);
        }
        for (int i = 0; i < n / 2; i++) {
            synchronized (lock) {
                lock.notify();
            }
        }
        synchronized (lock) {
            lock.notifyAll();
        }
        for (Thread t : threads) {
            t.join();
        }
        System.out.println(woken + " " + slept);
    }
}
