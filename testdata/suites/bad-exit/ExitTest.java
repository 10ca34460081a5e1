package bad;

import org.junit.Test;

public class ExitTest {
    @Test
    public void a_before() { //~ passed
    }

    @Test
    public void b_exits() { //~ error System.exit(3)
        System.exit(3);
    }

    @Test
    public void c_exitsWithZero() { //~ error System.exit(0)
        System.exit(0);
    }

    @Test
    public void d_exitsInAThread() throws Exception { //~ error System.exit(4)
        Thread thread = new Thread(() -> System.exit(4));
        thread.start();
        thread.join();
        Thread.sleep(1000);
    }

    @Test
    public void e_exitsPastEveryHandler() { //~ error System.exit(5)
        try {
            System.exit(5);
        } catch (Throwable t) {
            // Nothing is thrown that could be caught.
        }
    }

    @Test
    public void f_after() { //~ passed
    }
}
