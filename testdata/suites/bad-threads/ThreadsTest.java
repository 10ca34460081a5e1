package bad;

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
    public void c_after() { //~ passed
    }
}
