// A thread has the stack that it was made with; monitors can be entered as often as it allows.
public class StackSizes {
    static int depth;

    static int recurse() {
        depth++;
        return recurse() + 1;
    }

    static int depthWith(long stackSize) throws InterruptedException {
        depth = 0;
        Thread t = new Thread(null, () -> {
            try {
                recurse();
            } catch (StackOverflowError e) {
                // As deep as it goes.
            }
        }, "t", stackSize);
        t.start();
        t.join();
        return depth;
    }

    static int locked(Object lock, int n) {
        synchronized (lock) {
            return n == 0 ? 0 : 1 + locked(lock, n - 1);
        }
    }

    static synchronized int synchronizedMethod(int n) {
        return n == 0 ? 0 : 1 + synchronizedMethod(n - 1);
    }

    public static void main(String[] args) throws Exception {
        int normal = depthWith(0);
        int small = depthWith(200 << 10);
        int large = depthWith(64 << 20);
        System.out.println((small < normal) + " " + (large > 4 * normal) + " " + (depthWith(0) > 2 * small));
        int[] sums = new int[2];
        Object lock = new Object();
        Thread t = new Thread(null, () -> {
            sums[0] = locked(lock, 50_000);
            sums[1] = synchronizedMethod(50_000);
        }, "deep", 256 << 20);
        t.start();
        t.join();
        System.out.println(sums[0] + " " + sums[1]);
        synchronized (lock) {
            System.out.println(Thread.holdsLock(lock));
        }
        Thread waiter = new Thread(null, () -> {
            try {
                waitDeep(lock, 2000);
            } catch (InterruptedException e) {
                System.out.println("interrupted");
            }
        }, "waiter", 16 << 20);
        waiter.start();
        while (waiter.getState() != Thread.State.WAITING) {
            Thread.sleep(1);
        }
        synchronized (lock) {
            lock.notify();
        }
        waiter.join();
        synchronized (lock) {
            System.out.println("free again");
        }
    }

    static void waitDeep(Object lock, int n) throws InterruptedException {
        synchronized (lock) {
            if (n == 0) {
                lock.wait();
            } else {
                waitDeep(lock, n - 1);
            }
        }
    }
}
