package bad;

import org.junit.Test;

public class LoopTest {
    static volatile long turns;

    @Test
    public void a_before() { //~ passed
    }

    @Test
    public void b_neverEnds() { //~ timed_out
        System.out.println("in the loop");
        while (true) {
            turns++;
        }
    }

    @Test
    public void c_swallowsEverything() { //~ timed_out
        while (true) {
            try {
                turns++;
                if (turns % 2 == 0) {
                    throw new IllegalStateException();
                }
            } catch (Throwable t) {
                // Not even an exception from outside would end this.
            }
        }
    }

    @Test
    public void d_waitsForever() throws Exception { //~ timed_out
        Object lock = new Object();
        synchronized (lock) {
            while (true) {
                lock.wait();
            }
        }
    }

    @Test
    public void e_after() { //~ passed
    }
}
