// Collections while several threads hold references only on their stacks, in locals, in captured variables and in queues.
import java.util.*;
import java.util.concurrent.*;

public class ThreadsAndGc {
    static long work(int id) {
        List<int[]> mine = new ArrayList<>();
        long sum = 0;
        for (int i = 0; i < 400; i++) {
            int[] a = new int[500];
            Arrays.fill(a, id * i);
            mine.add(a);
            if (mine.size() > 50) mine.remove(i % 50);
            if (i % 100 == 0) System.gc();
            Object tmp = new Object[] {a, "x" + i};
            sum += ((int[]) ((Object[]) tmp)[0])[i] + ((Object[]) tmp)[1].hashCode() % 7;
            Thread.yield();
        }
        for (int[] a : mine) sum += a[0];
        return sum;
    }
    static int deep(int n, Object hold) {
        int[] a = {n};
        int r = n == 0 ? gc() : deep(n - 1, a);
        return r + a[0] + (hold instanceof int[] h ? h[0] : 0);
    }
    static int gc() {
        System.gc();
        byte[][] j = new byte[100][];
        for (int i = 0; i < 100; i++) j[i] = new byte[1000];
        return j.length;
    }
    public static void main(String[] args) throws Exception {
        ExecutorService ex = Executors.newFixedThreadPool(4);
        List<Future<Long>> fs = new ArrayList<>();
        for (int i = 0; i < 4; i++) { int id = i; fs.add(ex.submit(() -> work(id))); }
        StringBuilder sb = new StringBuilder();
        for (Future<Long> f : fs) sb.append(f.get()).append(' ');
        System.out.println(sb);
        BlockingQueue<byte[]> q = new ArrayBlockingQueue<>(5);
        Future<Integer> consumer = ex.submit(() -> { int t = 0;
            for (int i = 0; i < 200; i++) { byte[] b = q.take(); t += b[i] + b.length; } return t; });
        for (int i = 0; i < 200; i++) {
            byte[] b = new byte[1000 + i];
            b[i] = 1;
            q.put(b);
            if (i % 50 == 0) System.gc();
        }
        System.out.println(consumer.get());
        ex.shutdown();
        System.out.println(ex.awaitTermination(5, TimeUnit.SECONDS));
        System.out.println(deep(300, null));
        Object lock = new Object();
        int hash = lock.hashCode();
        synchronized (lock) { System.gc(); System.out.println(hash == lock.hashCode() && Thread.holdsLock(lock)); }
        Map<Object, Integer> ids = new IdentityHashMap<>();
        List<Object> ks = new ArrayList<>();
        for (int i = 0; i < 500; i++) { Object k = new Object(); ks.add(k); ids.put(k, i); }
        System.gc();
        int ok = 0;
        for (int i = 0; i < 500; i++) if (ids.get(ks.get(i)) == i) ok++;
        System.out.println(ok);
    }
}
