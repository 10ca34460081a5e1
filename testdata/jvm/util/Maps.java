// Maps: hash, linked, tree, weak order, identity, enum, navigation, views, compute family, iteration order, treeified bins.
import java.util.*;
import java.util.stream.*;

public class Maps {
    interface T { Object run() throws Throwable; }
    static void t(String n, T r) {
        try {
            System.out.println(n + " " + r.run());
        } catch (Throwable e) {
            System.out.println(n + " !" + e.getClass().getSimpleName() + ": " + e.getMessage());
        }
    }
    static final class Same implements Comparable<Same> {
        final int v;
        Same(int v) { this.v = v; }
        @Override public int hashCode() { return 42; }
        @Override public boolean equals(Object o) { return o instanceof Same s && s.v == v; }
        @Override public int compareTo(Same o) { return v - o.v; }
        @Override public String toString() { return "S" + v; }
    }
    static final class Bad {
        final int v;
        Bad(int v) { this.v = v; }
        @Override public int hashCode() { return v % 3; }
        @Override public boolean equals(Object o) { return o instanceof Bad b && b.v == v; }
    }
    static void common(Map<String, Integer> m) {
        for (int i = 0; i < 12; i++) m.put("k" + i * 5 % 13, i);
        System.out.println(m.getClass().getSimpleName() + " " + m + " " + m.size() + m.get("k3") + m.get("zz")
            + m.containsValue(7) + m.hashCode());
        System.out.println(m.put("k0", 99) + " " + m.putIfAbsent("k0", 1) + m.putIfAbsent("new", 5) + m.remove("k1")
            + m.remove("k2", -1) + m.replace("k3", 33) + m.replace("none", 1) + m.replace("k3", 33, 34)
            + m.merge("k4", 10, Integer::sum) + m.merge("k4", 0, (a, b) -> null)
            + m.compute("k5", (k, v) -> v == null ? 1 : v * 2) + m.compute("k6", (k, v) -> null)
            + m.computeIfAbsent("k7", k -> 7) + m.computeIfAbsent("c", String::length)
            + m.computeIfPresent("c", (k, v) -> v + 1) + m.getOrDefault("d", -7));
        m.replaceAll((k, v) -> v + k.length());
        m.keySet().removeIf(k -> k.endsWith("8"));
        m.values().removeIf(v -> v > 90);
        m.entrySet().removeIf(e -> e.getKey().equals("k9"));
        for (Map.Entry<String, Integer> e : m.entrySet()) e.setValue(e.getValue() * 2);
        System.out.println(m + " " + m.keySet().contains("c") + m.entrySet().contains(Map.entry("c", 6))
            + m.equals(new TreeMap<>(m)));
        t("cme", () -> { for (String k : m.keySet()) m.put(k + "x", 1); return 0; });
        Iterator<String> it = m.keySet().iterator();
        it.next();
        it.remove();
        t("keySet add", () -> m.keySet().add("q"));
        System.out.println(m.size());
        m.clear();
        System.out.println(m + "" + m.isEmpty());
    }
    public static void main(String[] args) {
        common(new HashMap<>());
        common(new LinkedHashMap<>());
        common(new TreeMap<>());
        common(new TreeMap<>(Comparator.reverseOrder()));
        common(new Hashtable<>());
        common(Collections.synchronizedMap(new HashMap<>()));
        LinkedHashMap<Integer, String> lru = new LinkedHashMap<>(4, .75f, true) {
            @Override protected boolean removeEldestEntry(Map.Entry<Integer, String> e) { return size() > 3; }
        };
        for (int i = 0; i < 3; i++) lru.put(i, "v" + i);
        lru.get(0);
        lru.put(3, "v3");
        System.out.println(lru);
        TreeMap<Integer, String> tm = new TreeMap<>();
        for (int i = 0; i < 100; i += 7) tm.put(i, "t" + i);
        System.out.println(tm.firstKey() + " " + tm.lastEntry() + tm.floorKey(20) + tm.ceilingEntry(22)
            + tm.lowerKey(21) + tm.higherKey(21) + tm.headMap(21) + tm.headMap(21, true).size() + tm.tailMap(90)
            + tm.subMap(10, 30) + tm.descendingMap().headMap(80) + tm.pollFirstEntry() + tm.pollLastEntry()
            + tm.navigableKeySet().descendingSet().first() + tm.floorKey(-1));
        SortedMap<Integer, String> sub = tm.subMap(20, 60);
        sub.put(25, "x");
        sub.remove(21);
        System.out.println(sub + " " + tm.size());
        t("sub range", () -> sub.put(99, "no"));
        t("null key", () -> tm.put(null, ""));
        t("tree cce", () -> ((Map) tm).put("s", ""));
        t("empty first", () -> new TreeMap<>().firstKey());
        t("bad range", () -> tm.subMap(5, 1));
        Map<Same, Integer> coll = new HashMap<>();
        for (int i = 0; i < 200; i++) coll.put(new Same(i * 37 % 200), i);
        int s = 0;
        for (int i = 0; i < 200; i++) s += coll.get(new Same(i));
        for (int i = 0; i < 195; i++) coll.remove(new Same(i));
        System.out.println(s + " " + new TreeMap<>(coll));
        Map<Bad, Integer> bad = new HashMap<>();
        for (int i = 0; i < 300; i++) bad.merge(new Bad(i % 150), 1, Integer::sum);
        System.out.println(bad.size() + " " + bad.values().stream().mapToInt(x -> x).sum());
        HashMap<Object, Integer> nul = new HashMap<>();
        nul.put(null, 1);
        nul.put("a", null);
        System.out.println(nul.get(null) + " " + nul.containsKey("a") + nul.getOrDefault("a", 5)
            + nul.merge("a", 3, Integer::sum) + nul);
        IdentityHashMap<String, Integer> id = new IdentityHashMap<>();
        id.put("a", 1);
        id.put(new String("a"), 2);
        id.put("a", 3);
        System.out.println(id.size() + " " + id.get("a") + id.containsKey(new String("a")));
        Map<String, Integer> of = Map.of("a", 1, "b", 2);
        t("of put", () -> of.put("c", 1));
        t("of null", () -> of.get(null));
        t("of dup", () -> Map.ofEntries(Map.entry("a", 1), Map.entry("a", 2)));
        System.out.println(new TreeMap<>(of) + " " + Map.copyOf(of).equals(of) + of.hashCode()
            + new AbstractMap.SimpleEntry<>("k", 1) + new AbstractMap.SimpleImmutableEntry<>("k", null).hashCode()
            + Map.entry(1, 2).equals(new AbstractMap.SimpleEntry<>(1, 2)));
        t("entry null", () -> Map.entry(null, 1));
        Map<Integer, Integer> big = new HashMap<>();
        for (int i = 0; i < 20000; i++) big.put(i * 0x9E3779B9, i);
        long h = 0;
        for (Map.Entry<Integer, Integer> e : big.entrySet()) h = h * 31 + e.getKey() + e.getValue();
        System.out.println(h);
        Map<String, Integer> hm = new HashMap<>();
        for (String w : "the quick brown fox jumps over the lazy dog the end of the quick story".split(" "))
            hm.merge(w, 1, Integer::sum);
        System.out.println(hm + " " + hm.entrySet().stream().sorted(Map.Entry.<String,
            Integer>comparingByValue().reversed().thenComparing(Map.Entry.comparingByKey())).limit(3).toList());
        Properties p = new Properties(new Properties() {{ setProperty("d", "dflt"); }});
        p.setProperty("a", "1");
        System.out.println(p.getProperty("a") + p.getProperty("d") + p.getProperty("z", "zz") + p.stringPropertyNames()
            + p.size());
        System.out.println(Collections.unmodifiableSortedMap(tm).firstKey() + " " + Collections.emptyMap()
            + Collections.singletonMap(1, 2) + new TreeMap<>(Map.of(1, 2)).equals(Map.of(1, 2)) + new TreeMap<String,
            Integer>(String.CASE_INSENSITIVE_ORDER) {{ put("A", 1); put("a", 2); }});
        t("reentrant", () -> { Map<String, Integer> r = new HashMap<>();
            return r.computeIfAbsent("a", k -> { r.put("b", 1); return 2; }); });
    }
}
