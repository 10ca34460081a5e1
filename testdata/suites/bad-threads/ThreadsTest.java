package bad;

import java.util.ArrayList;
import java.util.List;
import org.junit.Test;

public class ThreadsTest {
    static volatile long turns;

    @Test
    public void a_leavesAThreadSpinning() { //~ passed
        new Thread(() -> {
            while (true) {
                turns++;
            }
        }).start();
    }

    @Test
    public void b_leavesAThreadWaiting() { //~ passed
        new Thread(() -> {
            synchronized (ThreadsTest.class) {
                try {
                    ThreadsTest.class.wait();
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            }
        }).start();
    }

    @Test
    public void c_startsThreadsWithoutEnd() { //~ timed_out
        List<Thread> threads = new ArrayList<>();
        while (true) {
            Thread thread = new Thread(() -> {
                try {
                    Thread.sleep(Long.MAX_VALUE);
                } catch (InterruptedException e) {
                    // Ends.
                }
            });
            thread.start();
            threads.add(thread);
        }
    }

    @Test
    public void d_after() { //~ passed
    }
}
