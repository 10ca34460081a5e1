// Objects that share, point at each other and lie deep.
package identity;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

public class Graph {
    static Node shared = new Node("shared");
    static Node alsoShared = shared;
    static Node one = new Node("twin");
    static Node other = new Node("twin");
    static Object[] pair = {new int[] {1}, new int[] {1}};
    static Node cycle = Node.ring(3);
    static Node selfish = Node.ring(1);
    static Node unrolled = Node.ring(1);
    static Root root = new Root();
    static Map<String, List<Integer>> table = table();
    static Map<String, List<Integer>> copied = table();
    static Map<String, List<Integer>> listCopied = table();
    static Node emptyish = new Node("e");
    static Node swapA = new Node("left");
    static Node swapB = new Node("right");
    static Set<Node> nodes = nodes("a", "b", "c");
    static Map<Node, String> byNode = byNode("x", "y", "z");
    static Set<String> immutableSet = Set.of("a", "b", "c", "d");
    static Map<String, Integer> immutableMap = Map.of("a", 1, "b", 2, "c", 3);
    static Map<Key, Node> byKey = byKey(1, 2, 3);
    static List<Node> listed = new ArrayList<>(List.of(new Node("in both"), new Node("second")));
    static Map<String, Node> mapped = new HashMap<>(Map.of("first", listed.get(0)));
    static List<Object> itself = itself();
    static Node[] twins = {new Node("t"), new Node("t")};
    static Node chain = chain(5000);
    static Node longChain = chain(5000);

    static Node inSet = new Node("in a set");
    static Set<Node> withShared = new HashSet<>(Set.of(inSet));
    static Set<Node> grown = nodes("p", "q", "r");
    static double[] nans = {1, Double.NaN};
    static Node ofRed = Color.RED.owned;

    static void load() {}

    enum Color {
        RED;

        Node owned = new Node("owned");
    }

    static Node chain(int length) {
        Node first = null;
        for (int i = 0; i < length; i++) {
            Node node = new Node("n" + i);
            node.next = first;
            first = node;
        }
        return first;
    }

    static Map<String, List<Integer>> table() {
        Map<String, List<Integer>> made = new HashMap<>();
        for (String key : List.of("a", "b", "c")) {
            made.put(key, new ArrayList<>(List.of(1, 2, 3)));
        }
        return made;
    }

    static class Node {
        String name;
        Node next;

        Node(String name) {
            this.name = name;
        }

        static Node ring(int length) {
            Node first = new Node("ring");
            Node last = first;
            for (int i = 1; i < length; i++) {
                last.next = new Node("ring");
                last = last.next;
            }
            last.next = first;
            return first;
        }
    }

    record Key(int number) {}

    static Set<Node> nodes(String... names) {
        Set<Node> made = new HashSet<>();
        for (String name : names) {
            made.add(new Node(name));
        }
        return made;
    }

    /** Keys without an order of their own: where they lie depends on identity. */
    static Map<Node, String> byNode(String... names) {
        Map<Node, String> made = new HashMap<>();
        for (String name : names) {
            made.put(new Node(name), name + name);
        }
        return made;
    }

    static Map<Key, Node> byKey(int... numbers) {
        Map<Key, Node> made = new HashMap<>();
        for (int number : numbers) {
            made.put(new Key(number), new Node("n" + number));
        }
        return made;
    }

    static List<Object> itself() {
        List<Object> made = new ArrayList<>();
        made.add(made);
        return made;
    }

    static class Root {
        Middle a = new Middle();
    }

    static class Middle {
        Leaf[] b = {new Leaf(), new Leaf(), new Leaf()};
    }

    static class Leaf {
        int c = 5;
    }
}
