// Lists, deques, priority queues and bit sets in everyday use.
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Iterator;
import java.util.LinkedList;
import java.util.List;
import java.util.PriorityQueue;

public class Collections0 {
    public static void main(String[] args) {
        long sum = 0;
        List<Integer> list = new ArrayList<>();
        for (int i = 0; i < 400_000; i++) {
            list.add(i ^ (i >>> 3));
        }
        for (int x : list) {
            sum += x;
        }
        for (int i = 0; i < list.size(); i += 3) {
            list.set(i, list.get(i) + 1);
        }
        LinkedList<Integer> linked = new LinkedList<>(list.subList(0, 100_000));
        for (Iterator<Integer> it = linked.iterator(); it.hasNext();) {
            if (it.next() % 3 == 0) {
                it.remove();
            }
        }
        ArrayDeque<Integer> deque = new ArrayDeque<>();
        for (int i = 0; i < 400_000; i++) {
            deque.addLast(i);
            if (i % 3 == 0) {
                sum += deque.pollFirst();
            }
        }
        PriorityQueue<Integer> queue = new PriorityQueue<>();
        for (int i = 0; i < 60_000; i++) {
            queue.add((i * 7919) % 50_021);
            if (i % 2 == 1) {
                sum += queue.poll();
            }
        }
        BitSet bits = new BitSet();
        for (int i = 0; i < 400_000; i++) {
            bits.set(i * 7 % 300_007);
        }
        System.out.println(sum + " " + linked.size() + " " + deque.size() + " " + queue.size() + " "
            + bits.cardinality());
    }
}
