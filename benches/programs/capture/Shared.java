import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What the tests of the bench share: a structure that none of them touches, and a little state that some write. */
final class Shared {
    static final class Node {
        final int number;
        final Node next;
        Object payload;

        Node(int number, Node next) {
            this.number = number;
            this.next = next;
        }
    }

    /** Holds the system property `objects` of objects: chains, maps, lists and arrays by turns. */
    static final Object[] STRUCTURE = structure(Integer.getInteger("objects", 0));

    static int counter;
    static final Map<String, Integer> REGISTRY = new HashMap<>();
    static List<String> names = new ArrayList<>();
    static Node head = new Node(1, new Node(2, null));

    static Object[] structure(int objects) {
        List<Object> parts = new ArrayList<>();
        int made = 0;
        for (int turn = 0; made < objects; turn++) {
            switch (turn % 4) {
                case 0: {
                    Node chain = null;
                    for (int i = 0; i < 500; i++) {
                        chain = new Node(i, chain);
                    }
                    parts.add(chain);
                    made += 500;
                    break;
                }
                case 1: {
                    // A map's entries are a node, a key and a value each.
                    Map<Object, Object> map = new HashMap<>();
                    for (int i = 0; i < 150; i++) {
                        map.put("key" + turn + "." + i, new Node(i, null));
                    }
                    parts.add(map);
                    made += 302 + 300;
                    break;
                }
                case 2: {
                    List<Object> list = new ArrayList<>();
                    for (int i = 0; i < 250; i++) {
                        Node node = new Node(i, null);
                        node.payload = new int[] {i, turn};
                        list.add(node);
                    }
                    parts.add(list);
                    made += 502;
                    break;
                }
                default: {
                    Object[][] rows = new Object[100][];
                    for (int i = 0; i < rows.length; i++) {
                        rows[i] = new Object[] {new Node(i, null), new long[4], new StringBuilder("row"), new Node(turn, null)};
                    }
                    parts.add(rows);
                    made += 601;
                    break;
                }
            }
        }
        return parts.toArray();
    }

    /** A test that leaves nothing behind. */
    static void clean(int number) {
        Map<Integer, String> local = new HashMap<>();
        for (int i = 0; i < 20; i++) {
            local.put(i, "v" + (i * number));
        }
        if (local.size() != 20) {
            throw new AssertionError(local);
        }
    }

    /** A test that writes a field, or adds an entry to a map and takes another out. */
    static void write(int number) {
        clean(number);
        if (number % 2 == 0) {
            counter++;
        } else {
            REGISTRY.put("k" + number % 16, number);
            REGISTRY.remove("k" + (number + 8) % 16);
        }
    }

    /** A test that puts an equal object in the place of another, which is no pollution. */
    static void replace(int number) {
        clean(number);
        if (number % 2 == 0) {
            names = new ArrayList<>();
        } else {
            head = new Node(1, new Node(2, null));
        }
    }
}
