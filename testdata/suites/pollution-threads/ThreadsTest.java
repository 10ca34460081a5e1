// Values that a thread keeps for itself, when it was there before the test.
package threads;

import static org.junit.Assert.assertEquals;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.SynchronousQueue;
import org.junit.AfterClass;
import org.junit.BeforeClass;
import org.junit.Test;

public class ThreadsTest {
    static final ThreadLocal<String> user = new ThreadLocal<>();
    static final ThreadLocal<String> changed = ThreadLocal.withInitial(() -> "initial");
    static final ThreadLocal<String> removed = new ThreadLocal<>();
    static final ThreadLocal<String> passing = new ThreadLocal<>();
    static final ThreadLocal<List<String>> list = ThreadLocal.withInitial(ArrayList::new);
    static final ThreadLocal<Integer> asked = ThreadLocal.withInitial(() -> 17);
    static final InheritableThreadLocal<String> inherited = new InheritableThreadLocal<>();
    static final Worker worker = new Worker();

    @BeforeClass
    public static void load() throws Exception {
        changed.get();
        removed.set("given");
        passing.set("x");
        passing.remove();
        list.get();
        worker.setDaemon(true);
        worker.start();
        worker.run(() -> {});
        //~ FIXTURE any
    }

    @AfterClass
    public static void end() {
        worker.interrupt();
    }

    @Test
    public void set() { //~ passed
        user.set("someone"); //~ POLLUTES added threads.ThreadsTest.user[thread "main"]: -> "someone"
    }

    @Test
    public void replaced() { //~ passed
        changed.set("other"); //~ POLLUTES changed threads.ThreadsTest.changed[thread "main"]: "initial" -> "other"
    }

    @Test
    public void removed() { //~ passed
        removed.remove(); //~ POLLUTES removed threads.ThreadsTest.removed[thread "main"]: "given" ->
    }

    @Test
    public void setAndRemoved() { //~ passed
        //~ CLEAN
        passing.set("y");
        assertEquals("y", passing.get());
        passing.remove();
    }

    @Test
    public void insideTheValue() { //~ passed
        list.get().add("item"); //~ POLLUTES added threads.ThreadsTest.list[thread "main"][0]: -> "item"
    }

    @Test
    public void initialValueAskedFor() { //~ passed
        assertEquals(17, (int) asked.get()); //~ POLLUTES added threads.ThreadsTest.asked[thread "main"]: -> 17
    }

    @Test
    public void inheritable() { //~ passed
        inherited.set("heirs"); //~ POLLUTES added threads.ThreadsTest.inherited[thread "main"]: -> "heirs"
    }

    @Test
    public void ofANewThread() throws Exception { //~ passed
        //~ CLEAN
        Thread thread = new Thread(() -> user.set("gone with its thread"));
        thread.start();
        thread.join();
    }

    @Test
    public void ofAnotherThread() throws Exception { //~ passed
        worker.run(() -> user.set("worker's")); //~ POLLUTES added threads.ThreadsTest.user[thread "worker"]: -> "worker's"
    }

    @Test
    public void ofAThreadLocalThatIsGone() { //~ passed
        //~ CLEAN
        new ThreadLocal<String>().set("nobody can ask for it");
    }

    @Test
    public void ofAThreadLocalThatOnlyItsOwnValueKnows() { //~ passed
        //~ CLEAN
        ThreadLocal<Object[]> local = new ThreadLocal<>();
        local.set(new Object[] {local});
    }

    /** A thread that lives across tests. */
    static class Worker extends Thread {
        private final BlockingQueue<Runnable> work = new LinkedBlockingQueue<>();
        private final SynchronousQueue<String> done = new SynchronousQueue<>();

        Worker() {
            super("worker");
        }

        void run(Runnable task) throws InterruptedException {
            work.put(task);
            done.take();
        }

        @Override
        public void run() {
            try {
                while (true) {
                    work.take().run();
                    done.put("done");
                }
            } catch (InterruptedException end) {
                return;
            }
        }
    }
}
