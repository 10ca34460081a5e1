package bad;

import java.util.concurrent.CountDownLatch;
import org.junit.Test;

public class DeadlockTest {
    @Test
    public void a_before() { //~ passed
    }

    @Test
    public void b_twoLocks() throws Exception { //~ timed_out
        Object left = new Object();
        Object right = new Object();
        CountDownLatch both = new CountDownLatch(2);
        Thread one = new Thread(() -> take(left, right, both));
        Thread two = new Thread(() -> take(right, left, both));
        one.start();
        two.start();
        one.join();
        two.join();
    }

    private static void take(Object first, Object second, CountDownLatch both) {
        synchronized (first) {
            both.countDown();
            try {
                both.await();
            } catch (InterruptedException e) {
                return;
            }
            synchronized (second) {
                throw new AssertionError("both locks taken");
            }
        }
    }

    @Test
    public void c_joinsItself() throws Exception { //~ timed_out
        Thread.currentThread().join();
    }

    @Test
    public void d_after() { //~ passed
    }
}
