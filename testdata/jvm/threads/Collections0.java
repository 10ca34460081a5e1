// Concurrent collections under several threads and alone: maps, queues, deques, copy-on-write, skip lists, delays, transfers.
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.stream.*;

public class Collections0 {
    interface T { Object run() throws Throwable; }
    static void t(String k, T r) {
        try {
            System.out.println(k + " " + r.run());
        } catch (Throwable e) {
            System.out.println(k + " !" + e.getClass().getSimpleName() + ": " + e.getMessage());
        }
    }
    static void all(int n, java.util.function.IntConsumer c) throws InterruptedException {
        Thread[] ts = new Thread[n];
        for (int i = 0; i < n; i++) { int k = i; ts[i] = new Thread(() -> c.accept(k)); ts[i].start(); }
        for (Thread t : ts) t.join();
    }
    record Item(long at, String n) implements Delayed {
        public long getDelay(TimeUnit u) { return u.convert(at - System.nanoTime(), TimeUnit.NANOSECONDS); }
        public int compareTo(Delayed o) { return Long.compare(at, ((Item) o).at); }
    }
    public static void main(String[] args) throws Exception {
        ConcurrentHashMap<Integer, Integer> m = new ConcurrentHashMap<>();
        all(4, k -> { for (int i = 0; i < 500; i++) { m.merge(i, 1, Integer::sum); m.computeIfAbsent(1000 + i, x -> k);
            m.computeIfPresent(i, (x, v) -> v + 10); if (i % 5 == k) m.remove(1000 + i); } });
        System.out.println(m.values().stream().filter(v -> v == 44).count() + " "
            + m.keySet().stream().filter(k -> k < 500).mapToInt(k -> k).sum() + " " + m.getOrDefault(-1, -1)
            + m.putIfAbsent(0, 5) + m.replace(0, 44, 45) + m.remove(0, 44));
        t("null key", () -> m.put(null, 1));
        t("recursive", () -> m.computeIfAbsent(7777, k -> m.computeIfAbsent(7777, q -> 1)));
        Set<String> ks = ConcurrentHashMap.newKeySet();
        all(4, k -> { for (int i = 0; i < 200; i++) ks.add("x" + i); });
        System.out.println(ks.size());
        ConcurrentSkipListMap<Integer, String> sk = new ConcurrentSkipListMap<>();
        all(4, k -> { for (int i = 0; i < 200; i++) sk.put(i * 4 + k, "v" + k); });
        System.out.println(sk.size() + " " + sk.firstEntry() + sk.ceilingKey(797) + sk.headMap(5)
            + sk.descendingMap().firstKey() + sk.pollFirstEntry() + sk.floorKey(-1));
        ConcurrentLinkedQueue<Integer> q = new ConcurrentLinkedQueue<>();
        all(4, k -> { for (int i = 0; i < 300; i++) q.add(k); });
        int[] c = new int[4];
        for (Integer x; (x = q.poll()) != null; ) c[x]++;
        System.out.println(Arrays.toString(c));
        ConcurrentLinkedDeque<Integer> dq = new ConcurrentLinkedDeque<>(List.of(1, 2, 3));
        dq.addFirst(0);
        System.out.println(dq.pollLast() + " " + dq);
        CopyOnWriteArrayList<Integer> cow = new CopyOnWriteArrayList<>(List.of(1, 2, 3));
        for (Integer x : cow) cow.add(x * 10);
        System.out.println(cow + " " + cow.addIfAbsent(10) + new CopyOnWriteArraySet<>(List.of(1, 1).subList(0, 1)));
        t("cow iter", () -> { Iterator<Integer> it = cow.iterator(); it.next(); it.remove(); return 0; });
        BlockingQueue<Integer> abq = new ArrayBlockingQueue<>(2);
        System.out.println(abq.offer(1) + "" + abq.offer(2) + abq.offer(3) + abq.remainingCapacity()
            + abq.offer(4, 1, TimeUnit.MILLISECONDS) + abq.peek());
        t("full", () -> abq.add(5));
        t("null", () -> abq.add(null));
        List<Integer> dr = new ArrayList<>();
        System.out.println(abq.drainTo(dr) + "" + dr + abq.poll(1, TimeUnit.MILLISECONDS));
        AtomicInteger sum = new AtomicInteger();
        BlockingQueue<Integer> lbq = new LinkedBlockingQueue<>(3);
        all(4, k -> { try { for (int i = 0; i < 200; i++) if (k % 2 == 0) lbq.put(i); else sum.addAndGet(lbq.take());
            } catch (InterruptedException e) { } });
        System.out.println(sum + " " + lbq.size());
        PriorityBlockingQueue<String> pbq = new PriorityBlockingQueue<>(4, Comparator.reverseOrder());
        pbq.addAll(List.of("b", "d", "a", "c"));
        StringBuilder sb = new StringBuilder();
        while (!pbq.isEmpty()) sb.append(pbq.take());
        System.out.println(sb);
        DelayQueue<Item> del = new DelayQueue<>();
        long now = System.nanoTime();
        del.add(new Item(now + 20_000_000L, "late"));
        del.add(new Item(now, "due"));
        System.out.println(del.take().n() + del.size() + del.take().n());
        SynchronousQueue<String> sy = new SynchronousQueue<>();
        System.out.println(sy.offer("x") + " " + sy.poll() + sy.size());
        Thread giver = new Thread(() -> { try { sy.put("handed"); } catch (InterruptedException e) { } });
        giver.start();
        System.out.println(sy.take());
        LinkedTransferQueue<String> tq = new LinkedTransferQueue<>();
        System.out.println(tq.tryTransfer("x") + " " + tq.size());
        Thread taker = new Thread(() -> { try { System.out.println("took " + tq.take());
            } catch (InterruptedException e) { } });
        taker.start();
        tq.transfer("t");
        taker.join();
        LinkedBlockingDeque<Integer> lbd = new LinkedBlockingDeque<>(2);
        lbd.putFirst(1);
        lbd.putLast(2);
        System.out.println(lbd.offerFirst(0) + " " + lbd.takeLast() + lbd);
        List<Integer> sl = Collections.synchronizedList(new ArrayList<>());
        all(4, k -> { for (int i = 0; i < 100; i++) sl.add(i); });
        System.out.println(sl.size());
        Vector<Integer> vec = new Vector<>();
        Hashtable<Integer, Integer> ht = new Hashtable<>();
        StringBuffer sbuf = new StringBuffer();
        all(4, k -> { for (int i = 0; i < 100; i++) { vec.add(i); ht.merge(i, 1, Integer::sum); sbuf.append('x'); } });
        System.out.println(vec.size() + " " + ht.get(50) + " " + sbuf.length());
        ThreadLocalRandom r = ThreadLocalRandom.current();
        System.out.println(r.nextInt(5, 6) + " " + (r.nextInt(10) < 10));
        ConcurrentHashMap<String, Integer> bulk = new ConcurrentHashMap<>(IntStream.range(0,
            50).boxed().collect(Collectors.toMap(i -> "k" + i, i -> i)));
        AtomicInteger tot = new AtomicInteger();
        bulk.forEach(10, (k, v) -> tot.addAndGet(v));
        System.out.println(tot + " " + bulk.reduceKeys(5, String::length, Integer::sum) + " "
            + new TreeSet<>(bulk.keySet()).first() + bulk.contains(5) + Collections.list(bulk.elements()).size());
        Iterator<Integer> weak = m.keySet().iterator();
        weak.next();
        m.clear();
        System.out.println(m.isEmpty() + " " + (weak.hasNext() ? "weakly" : "end").length() / 10);
    }
}
