// Sequenced collections (JEP 431).
import java.util.*;

public class SequencedCollections {
    public static void main(String[] args) {
        SequencedCollection<String> list = new ArrayList<>(List.of("a", "b", "c"));
        list.addFirst("0");
        list.addLast("d");
        System.out.println(list + " " + list.getFirst() + list.getLast() + " " + list.reversed());
        System.out.println(list.removeFirst() + list.removeLast() + list);
        list.reversed().add("front");
        System.out.println(list + " " + list.reversed().stream().toList());

        LinkedHashSet<Integer> set = new LinkedHashSet<>(List.of(3, 1, 2));
        set.addFirst(2);
        System.out.println(set + " " + set.reversed() + " " + set.reversed().getFirst());
        set.reversed().remove(1);
        System.out.println(set);

        LinkedHashMap<String, Integer> map = new LinkedHashMap<>();
        map.put("x", 1);
        map.put("y", 2);
        map.putFirst("w", 0);
        System.out.println(map + " " + map.firstEntry() + " " + map.lastEntry() + " " + map.reversed());
        System.out.println(map.sequencedKeySet().reversed() + " " + map.sequencedValues().reversed());
        System.out.println(map.pollFirstEntry() + " " + map.pollLastEntry() + " " + map);

        Deque<Integer> deque = new ArrayDeque<>(List.of(1, 2, 3));
        System.out.println(deque.reversed() + " " + deque.reversed().peekFirst());
        TreeMap<Integer, String> tree = new TreeMap<>(Map.of(1, "a", 2, "b"));
        System.out.println(tree.reversed() + " " + tree.reversed().firstEntry());
        SequencedMap<Integer, String> fixed = Collections.unmodifiableSequencedMap(tree);
        try {
            fixed.putFirst(0, "z");
        } catch (UnsupportedOperationException e) {
            System.out.println("unsupported " + e.getMessage());
        }
        try {
            new ArrayList<String>().getFirst();
        } catch (NoSuchElementException e) {
            System.out.println("empty " + e.getMessage());
        }
        System.out.println(new StringBuilder("ab").repeat("xy", 2).repeat('z', 3));
        System.out.println("a,b;c".splitWithDelimiters("[,;]", 0).length + " " + "hello".indexOf('l', 0, 3));
        System.out.println(Math.clamp(300L, 0, 255) + " " + Character.isEmoji(0x1F600));
    }
}
