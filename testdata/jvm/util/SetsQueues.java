// Sets, deques, priority queues, BitSet: set algebra, order, navigation, heap order, ring buffers, bit operations.
import java.util.*;
import java.util.stream.*;

public class SetsQueues {
    interface T { Object run() throws Throwable; }
    static void t(String n, T r) {
        try {
            System.out.println(n + " " + r.run());
        } catch (Throwable e) {
            System.out.println(n + " !" + e.getClass().getSimpleName() + ": " + e.getMessage());
        }
    }
    public static void main(String[] args) {
        for (Set<String> s : List.of(new HashSet<String>(), new LinkedHashSet<String>(), new TreeSet<String>())) {
            for (String w : "to be or not to be that is the question".split(" ")) s.add(w);
            System.out.println(s + " " + s.size() + s.contains("be") + s.remove("be") + s.remove("zz") + s.hashCode()
                + s.equals(new HashSet<>(s)));
            s.retainAll(Set.of("to", "is", "the", "x"));
            s.addAll(List.of("y", "to"));
            s.removeAll(Set.of("is"));
            System.out.println(s + " " + s.containsAll(Set.of("to", "y")));
            t("cme", () -> { for (String x : s) s.add(x + "!"); return 0; });
        }
        TreeSet<Integer> ts = new TreeSet<>(IntStream.range(0, 50).map(x -> x * 3).boxed().toList());
        System.out.println(ts.floor(10) + " " + ts.ceiling(10) + ts.lower(9) + ts.higher(9) + ts.headSet(9)
            + ts.tailSet(141, false) + ts.subSet(10, true, 21, true) + ts.descendingSet().first() + ts.pollFirst()
            + ts.pollLast() + ts.first() + ts.descendingIterator().next() + ts.floor(-5));
        t("null", () -> ts.add(null));
        t("no cmp", () -> new TreeSet<Object>().add(new Object()));
        t("set.of dup", () -> Set.of("a", "a"));
        t("set.of add", () -> Set.of("a").add("b"));
        System.out.println(Set.copyOf(List.of(1, 1, 1)) + " " + Set.of(1, 2).equals(new HashSet<>(List.of(2, 1)))
            + Set.of(1, 2, 3).hashCode() + Collections.newSetFromMap(new TreeMap<Integer, Boolean>()).add(1));
        ArrayDeque<Integer> d = new ArrayDeque<>(2);
        for (int i = 0; i < 40; i++) {
            if (i % 3 == 0) d.addFirst(i); else d.addLast(i);
            if (i % 7 == 6) { d.pollFirst(); d.pollLast(); }
        }
        System.out.println(d + " " + d.peekFirst() + d.peekLast() + d.size() + d.contains(5)
            + d.removeFirstOccurrence(13) + d.descendingIterator().next());
        d.removeIf(x -> x % 2 == 0);
        Iterator<Integer> di = d.iterator();
        di.next();
        di.remove();
        System.out.println(d + " " + d.pop() + d.clone());
        t("deque null", () -> d.offer(null));
        t("deque cme", () -> { for (int x : d) d.add(x); return 0; });
        t("empty pop", () -> new ArrayDeque<>().pop());
        PriorityQueue<Integer> pq = new PriorityQueue<>(List.of(9, 4, 7, 1, 8, 2, 6));
        System.out.println(pq + " " + pq.peek());
        pq.remove(7);
        pq.add(3);
        StringBuilder sb = new StringBuilder();
        while (!pq.isEmpty()) sb.append(pq.poll()).append(' ');
        System.out.println(sb);
        PriorityQueue<String> ps
            = new PriorityQueue<>(Comparator.comparing(String::length).thenComparing(Comparator.reverseOrder()));
        ps.addAll(List.of("ccc", "a", "bb", "dd", "e", "ffff"));
        sb.setLength(0);
        while (ps.size() > 0) sb.append(ps.remove()).append(' ');
        System.out.println(sb);
        t("pq null", () -> pq.add(null));
        t("pq empty", pq::remove);
        Random r = new Random(11);
        PriorityQueue<Long> h = new PriorityQueue<>(Collections.reverseOrder());
        long acc = 0;
        for (int i = 0; i < 3000; i++) { h.add(r.nextLong()); if (i % 3 == 2) acc = acc * 31 + h.poll(); }
        System.out.println(acc + " " + h.size());
        BitSet b = new BitSet();
        b.set(1);
        b.set(5, 10);
        b.set(100);
        b.clear(7);
        b.flip(0, 3);
        System.out.println(b + " " + b.cardinality() + " " + b.length() + " " + b.size() + b.get(5) + b.get(7)
            + b.nextSetBit(10) + b.nextClearBit(5) + b.previousSetBit(99) + b.previousClearBit(9)
            + Arrays.toString(b.toLongArray()) + Arrays.toString(b.toByteArray()));
        BitSet c = BitSet.valueOf(new long[] {0xF0F0L});
        BitSet x = (BitSet) b.clone();
        x.and(c);
        BitSet y = (BitSet) b.clone();
        y.or(c);
        BitSet z = (BitSet) b.clone();
        z.xor(c);
        BitSet w = (BitSet) b.clone();
        w.andNot(c);
        System.out.println(x + "" + y + z + w + b.intersects(c) + b.hashCode() + b.equals(y) + b.get(4, 9)
            + b.stream().sum());
        t("neg bit", () -> b.get(-1));
        BitSet sieve = new BitSet(2000);
        sieve.set(2, 2000);
        for (int i = 2; i * i < 2000; i = sieve.nextSetBit(i + 1)) for (int j = i * i; j < 2000; j += i) sieve.clear(j);
        System.out.println(sieve.cardinality() + " " + sieve.previousSetBit(1999));
        EnumSet<Thread.State> es = EnumSet.of(Thread.State.NEW, Thread.State.TERMINATED);
        es.add(Thread.State.BLOCKED);
        System.out.println(es + " " + EnumSet.complementOf(es) + es.contains(null));
        Set<Integer> lhs = new LinkedHashSet<>(List.of(3, 1, 2));
        lhs.remove(1);
        lhs.add(1);
        lhs.add(3);
        System.out.println(lhs + " " + Collections.unmodifiableSet(lhs)
            + Collections.checkedSet(new HashSet<>(lhs), Integer.class).size());
        Set<List<Integer>> ll = new HashSet<>();
        for (int i = 0; i < 100; i++) ll.add(List.of(i % 7, i % 5));
        System.out.println(ll.size() + " " + ll.stream().mapToInt(List::hashCode).sum());
    }
}
