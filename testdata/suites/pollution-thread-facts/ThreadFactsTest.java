// What a thread can be asked for: its name, priority, daemon flag, context class loader and handlers.
package facts;

import static org.junit.Assert.assertEquals;

import java.net.URL;
import java.net.URLClassLoader;
import org.junit.BeforeClass;
import org.junit.Test;

public class ThreadFactsTest {
    static final Thread.UncaughtExceptionHandler NONE = (thread, e) -> {};
    static final ClassLoader OTHER = new URLClassLoader("other", new URL[0], null);
    static final Thread unstarted = new Thread(() -> {}, "unstarted");

    @BeforeClass
    public static void load() {
        // The class is initialised before its first test.
    }

    @Test
    public void contextLoader() { //~ passed
        Thread.currentThread().setContextClassLoader(OTHER); //~ POLLUTES replaced thread "main".contextClassLoader
    }

    @Test
    public void contextLoaderPutBack() { //~ passed
        //~ CLEAN
        ClassLoader before = Thread.currentThread().getContextClassLoader();
        Thread.currentThread().setContextClassLoader(null);
        Thread.currentThread().setContextClassLoader(before);
    }

    @Test
    public void nameOfAnother() { //~ passed
        unstarted.setName("other"); //~ POLLUTES changed facts.ThreadFactsTest.unstarted.name: "unstarted" -> "other"
    }

    @Test
    public void priority() { //~ passed
        Thread.currentThread().setPriority(7); //~ POLLUTES changed thread "main"(.holder)?.priority: 5 -> 7
    }

    @Test
    public void priorityPutBack() { //~ passed
        //~ CLEAN
        int before = Thread.currentThread().getPriority();
        Thread.currentThread().setPriority(1);
        assertEquals(1, Thread.currentThread().getPriority());
        Thread.currentThread().setPriority(before);
    }

    @Test
    public void daemonFlag() { //~ passed
        unstarted.setDaemon(true); //~ POLLUTES changed facts.ThreadFactsTest.unstarted(.holder)?.daemon: false -> true
    }

    @Test
    public void ownHandler() { //~ passed
        Thread.currentThread().setUncaughtExceptionHandler(NONE); //~ POLLUTES changed thread "main".uncaughtExceptionHandler
    }

    @Test
    public void defaultHandler() { //~ passed
        Thread.setDefaultUncaughtExceptionHandler(NONE); //~ POLLUTES changed java.lang.Thread.defaultUncaughtExceptionHandler; configuration
    }

    @Test
    public void ofAThreadThatEnded() throws Exception { //~ passed
        //~ CLEAN
        Thread thread = new Thread(() -> {});
        thread.setPriority(2);
        thread.setContextClassLoader(OTHER);
        thread.start();
        thread.join();
    }
}
