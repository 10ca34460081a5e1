import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/** Threads that yield all the time get their work done before a generous time-out. */
public class YieldTime {
    static int counter;

    public static void main(String[] args) throws Exception {
        Object lock = new Object();
        ExecutorService pool = Executors.newFixedThreadPool(8);
        for (int t = 0; t < 8; t++) {
            pool.submit(() -> {
                for (int i = 0; i < 5000; i++) {
                    synchronized (lock) {
                        int before = counter;
                        for (int j = 0; j < 4; j++) {
                            Thread.yield();
                        }
                        counter = before + 1;
                    }
                }
            });
        }
        pool.shutdown();
        System.out.println(pool.awaitTermination(60, TimeUnit.SECONDS) + " " + counter);

        // Two looks at the clock never show the same time.
        long before = System.nanoTime();
        System.out.println(System.nanoTime() > before);
        java.time.Instant first = java.time.Instant.now();
        System.out.println(java.time.Instant.now().isAfter(first));
        // What was there before is not from the future.
        System.out.println(new java.io.File("/").lastModified() <= System.currentTimeMillis());
    }
}
