package trial;

import java.util.Locale;
import org.junit.Test;

/** What is left: threads, streams, a locale, a long list. */
public class LeftTest {
    private static void sleep() {
        try {
            Thread.sleep(Long.MAX_VALUE);
        } catch (InterruptedException e) {
            // Ends.
        }
    }

    @Test
    public void threads() {
        for (int i = 0; i < 3; i++) {
            Thread thread = new Thread(LeftTest::sleep, "worker-" + i);
            thread.setDaemon(true);
            thread.start();
        }
        Thread other = new Thread(LeftTest::sleep, "left-behind");
        other.setDaemon(true);
        other.start();
    }

    @Test
    public void stream() {
        System.setErr(System.out);
    }

    @Test
    public void locale() {
        Locale.setDefault(Locale.GERMANY);
    }

    @Test
    public void list() {
        for (int i = 0; i < 1000; i++) {
            Registry.Node node = new Registry.Node();
            node.next = Registry.chain;
            Registry.chain = node;
        }
    }
}
