import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** A thread that takes and leaves a lock all the time does not keep another one out of it for ever. */
public class HandOver {
    public static void main(String[] args) throws Exception {
        List<Integer> list = Collections.synchronizedList(new ArrayList<>());
        Thread writer = new Thread(() -> {
            for (int i = 1; i <= 20_000; i++) {
                list.add(i);
            }
        });
        writer.start();
        long looks = 0;
        while (list.isEmpty() || list.get(list.size() - 1) != 20_000) {
            looks++;
        }
        writer.join();
        System.out.println("last " + list.get(list.size() - 1) + ", looked " + (looks > 0 ? "often" : "once"));

        // Handed over inside Object.wait and to several threads as well.
        Object lock = new Object();
        int[] turns = new int[4];
        Thread[] threads = new Thread[turns.length];
        for (int t = 0; t < threads.length; t++) {
            int me = t;
            threads[t] = new Thread(() -> {
                for (int i = 0; i < 5_000; i++) {
                    synchronized (lock) {
                        turns[me]++;
                        synchronized (lock) {
                            lock.notifyAll();
                        }
                        if (i % 1000 == 0) {
                            try {
                                lock.wait(1);
                            } catch (InterruptedException e) {
                                throw new AssertionError(e);
                            }
                        }
                    }
                }
            });
            threads[t].start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        System.out.println(java.util.Arrays.toString(turns));
    }
}
