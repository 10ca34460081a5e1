package s4;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNotNull;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.ServerSocket;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.util.Timer;
import java.util.TimerTask;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.junit.AfterClass;
import org.junit.BeforeClass;
import org.junit.Test;

/** Exceptions that were swallowed on the way: in the test, by natives, in threads and executors. */
public class CreatedTest {
    static final ExecutorService POOL = Executors.newFixedThreadPool(1);
    static final ExecutorService OTHER = Executors.newFixedThreadPool(1);
    static final ScheduledExecutorService LATER = Executors.newScheduledThreadPool(1);

    /** The threads of the pools are there before the first test: none of them works for the test that first uses it. */
    @BeforeClass
    public static void warm() throws Exception {
        POOL.submit(() -> { }).get();
        LATER.schedule(() -> { }, 1, TimeUnit.MILLISECONDS).get();
        ForkJoinPool.commonPool().submit(() -> { }).get();
        kept = new SocketException("kept");
        new Thread(() -> fetchAfter(GO, GONE)).start();
        left = OTHER.submit(() -> fetchAfter(GO_TASK, new CountDownLatch(1)));
    }

    @AfterClass
    public static void end() {
        POOL.shutdownNow();
        OTHER.shutdownNow();
        LATER.shutdownNow();
    }

    static String fetch() {
        try {
            new Socket("localhost", 1).close();
            return "content";
        } catch (IOException e) {
            return null;
        }
    }

    //~ sanitised created java.net.ConnectException localhost:1
    @Test
    public void swallowed() {
        assertNotNull(fetch());
    }

    //~ sanitised created java.net.UnknownHostException nowhere.invalid
    @Test
    public void madeByANative() {
        boolean up;
        try {
            up = InetAddress.getByName("nowhere.invalid") != null;
        } catch (UnknownHostException e) {
            up = false;
        }
        assertTrue(up);
    }

    //~ sanitised created java.net.ConnectException localhost:1
    @Test
    public void inAThread() throws Exception {
        String[] content = new String[1];
        Thread thread = new Thread(() -> content[0] = fetch(), "fetcher");
        thread.start();
        thread.join();
        assertNotNull(content[0]);
    }

    //~ sanitised created java.net.ConnectException localhost:1
    @Test
    public void inAThreadOfAThread() throws Exception {
        String[] content = new String[1];
        Thread thread = new Thread(() -> {
            Thread inner = new Thread(() -> content[0] = fetch());
            inner.start();
            try {
                inner.join();
            } catch (InterruptedException e) {
                throw new RuntimeException(e);
            }
        });
        thread.start();
        thread.join();
        assertNotNull(content[0]);
    }

    //~ sanitised created java.net.ConnectException localhost:1
    @Test
    public void submitted() throws Exception {
        Future<String> content = POOL.submit((Callable<String>) CreatedTest::fetch);
        assertNotNull(content.get());
    }

    //~ sanitised created java.net.ConnectException localhost:1
    @Test
    public void executed() throws Exception {
        String[] content = new String[1];
        CountDownLatch done = new CountDownLatch(1);
        POOL.execute(() -> {
            content[0] = fetch();
            done.countDown();
        });
        done.await();
        assertNotNull(content[0]);
    }

    //~ sanitised created java.net.ConnectException localhost:1
    @Test
    public void scheduled() throws Exception {
        assertNotNull(LATER.schedule((Callable<String>) CreatedTest::fetch, 5, TimeUnit.MILLISECONDS).get());
    }

    //~ sanitised created java.net.ConnectException localhost:1
    @Test
    public void commonPool() {
        assertNotNull(CompletableFuture.supplyAsync(CreatedTest::fetch).join());
    }

    //~ sanitised created java.net.ConnectException localhost:1
    @Test
    public void parallelStream() {
        Object[] found = java.util.stream.IntStream.range(0, 64).parallel().mapToObj(i -> fetch()).toArray();
        assertNotNull(found[63]);
    }

    //~ sanitised created java.net.ConnectException localhost:1
    @Test
    public void timer() throws Exception {
        String[] content = new String[1];
        CountDownLatch done = new CountDownLatch(1);
        Timer timer = new Timer(true);
        timer.schedule(new TimerTask() {
            @Override
            public void run() {
                content[0] = fetch();
                done.countDown();
            }
        }, 1);
        done.await();
        timer.cancel();
        assertNotNull(content[0]);
    }

    //~ failed
    @Test
    public void neverThrown() {
        SocketException made = new SocketException("only made");
        assertEquals("x", made.getMessage());
    }

    // A server's waiting for clients ends so, whether others can be reached or not.
    //~ failed
    @Test
    public void aServerIsClosed() throws Exception {
        ServerSocket server = new ServerSocket(0);
        Thread acceptor = new Thread(() -> {
            try {
                server.accept().close();
            } catch (IOException e) {
                // The end of the server.
            }
        });
        acceptor.start();
        Thread.sleep(50);
        server.close();
        acceptor.join();
        assertEquals(1, 2);
    }

    static SocketException kept;

    //~ failed
    @Test
    public void throwsWhatAFixtureMade() {
        try {
            throw kept;
        } catch (SocketException e) {
            assertEquals("x", e.getMessage());
        }
    }

    static final CountDownLatch GO = new CountDownLatch(1);
    static final CountDownLatch GONE = new CountDownLatch(1);

    //~ failed
    @Test
    public void aThreadOfAFixtureFails() throws Exception {
        GO.countDown();
        GONE.await();
        assertEquals(1, 2);
    }

    static final CountDownLatch GO_TASK = new CountDownLatch(1);
    static Future<?> left;

    //~ failed
    @Test
    public void aTaskOfAFixtureFails() throws Exception {
        GO_TASK.countDown();
        left.get();
        assertEquals(1, 2);
    }

    static void fetchAfter(CountDownLatch go, CountDownLatch gone) {
        try {
            go.await();
            fetch();
        } catch (InterruptedException e) {
            return;
        } finally {
            gone.countDown();
        }
    }
}
