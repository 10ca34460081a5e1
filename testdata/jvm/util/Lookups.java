// Looking up strings in maps of every shape, elements of lists, and builders that grow.
import java.util.*;
import java.util.concurrent.ConcurrentHashMap;

public class Lookups {
    static final class Odd {
        final String text;

        Odd(String text) {
            this.text = text;
        }

        @Override public int hashCode() {
            return text.hashCode();
        }

        @Override public boolean equals(Object o) {
            return true;
        }
    }

    static void maps(Map<Object, Object> map) {
        String name = map.getClass().getSimpleName();
        System.out.println(name + " empty " + map.get("a") + map.containsKey("a"));
        // Strings of one hash: a chain, later a tree.
        List<String> same = new ArrayList<>();
        for (int i = 0; i < 32; i++) {
            StringBuilder s = new StringBuilder();
            for (int bit = 0; bit < 5; bit++) {
                s.append((i >> bit & 1) == 0 ? "Aa" : "BB");
            }
            same.add(s.toString());
        }
        int found = 0;
        for (int n = 0; n < same.size(); n++) {
            map.put(same.get(n), n);
            for (int k = 0; k < same.size(); k++) {
                Object value = map.get(new String(same.get(k)));
                if (k <= n ? !Integer.valueOf(k).equals(value) : value != null) {
                    System.out.println("wrong at " + n + " " + k);
                }
                found += value == null ? 0 : 1;
            }
        }
        System.out.println(name + " " + found);
        for (int i = 0; i < 500; i++) {
            map.put("key" + i, i);
            map.put(i, "int" + i);
        }
        map.put("caf\u00e9", 1);
        map.put("\u20acuro", 2);
        map.put("", 3);
        System.out.println(map.get("key77") + " " + map.get(77) + " " + map.get("77") + " " + map.get("caf\u00e9") + map.get("\u20acuro")
                + map.get("") + " " + map.getOrDefault("none", "default") + " " + map.size());
        map.put(new Odd("odd"), "equal to all");
        System.out.println(map.get("odd") + " " + map.get(new Odd("key1")));
        try {
            map.put(null, "of null");
            System.out.println(map.get(null));
        } catch (NullPointerException e) {
            System.out.println("no null key");
        }
        try {
            System.out.println(map.get(null));
        } catch (NullPointerException e) {
            System.out.println("no null key");
        }
        map.keySet().removeIf(k -> k instanceof String && ((String) k).startsWith("key"));
        System.out.println(map.get("key1") + " " + map.get(same.get(31)) + " " + map.size());
    }

    public static void main(String[] args) {
        maps(new HashMap<>());
        maps(new LinkedHashMap<>());
        maps(new ConcurrentHashMap<>());
        maps(new Hashtable<>());
        LinkedHashMap<String, Integer> recent = new LinkedHashMap<>(4, 0.75f, true);
        for (String s : "a b c d e".split(" ")) recent.put(s, 1);
        recent.get("b");
        recent.get("a");
        System.out.println(recent);

        List<String> list = new ArrayList<>(Arrays.asList("x", null, "z"));
        System.out.println(list.get(0) + list.get(1) + list.subList(1, 3).get(1));
        for (int i : new int[] {-1, 3, Integer.MIN_VALUE, Integer.MAX_VALUE}) {
            try {
                list.get(i);
            } catch (IndexOutOfBoundsException e) {
                System.out.println(e.getMessage());
            }
            try {
                Objects.checkIndex(i, 2);
            } catch (IndexOutOfBoundsException e) {
                System.out.println(e.getMessage());
            }
            try {
                Objects.checkFromToIndex(i, 1, 2);
            } catch (IndexOutOfBoundsException e) {
                System.out.println(e.getMessage());
            }
            try {
                System.out.println(Objects.checkFromIndexSize(0, i, 2));
            } catch (IndexOutOfBoundsException e) {
                System.out.println(e.getMessage());
            }
        }

        StringBuilder b = new StringBuilder(), caps = new StringBuilder();
        for (int i = 0; i < 200; i++) {
            int before = b.capacity();
            if (i % 3 == 0) b.append('c');
            else b.append(i % 50 == 1 ? "a somewhat longer string \u00ff" : "s");
            if (i == 120) b.append("\u20ac");
            if (b.capacity() != before) caps.append(b.length()).append(':').append(b.capacity()).append(' ');
        }
        System.out.println(caps);
        System.out.println(b.length() + " " + b.toString().hashCode());
        StringBuilder wide = new StringBuilder(1).append("\u4e2d");
        for (int i = 0; i < 40; i++) wide.append(i % 2 == 0 ? "ab" : "\u00e9").append('\u6587');
        System.out.println(wide.capacity() + " " + wide.toString().hashCode());
        String once = new StringBuilder("same").toString();
        System.out.println(once == new StringBuilder("same").toString());
        System.out.println(new StringBuilder().toString() == new StringBuilder().toString());
    }
}
