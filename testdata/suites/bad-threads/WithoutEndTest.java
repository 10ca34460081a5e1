package bad;

import java.util.ArrayList;
import java.util.List;
import org.junit.Test;

/** The last class: the threads it leaves behind are all a process can have. */
public class WithoutEndTest {
    @Test
    public void startsThreads() { //~ error java.lang.OutOfMemoryError: unable to create native thread
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
}
