import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** What comes, goes and changes in collections; what only their internals do shows nowhere. */
class Collections {
    static List<Object> list = new ArrayList<>(List.of("a", "b"));
    static Map<String, Object> map = new HashMap<>(Map.of("a", 1));
    static Map<String, Object> linked = new LinkedHashMap<>();
    static Map<String, Object> tree = new TreeMap<>(Map.of("a", 1));
    static Set<Object> set = new HashSet<>(Set.of("a"));

    public static void main(String[] args) {
        linked.put("a", 1);
        linked.put("b", 2);
        Probe.boundary("start");
        //= added: added Collections.list[2]: (absent) -> "c"; CollectionGrew by add
        //= added: added Collections.map["b"]: (absent) -> 2; CollectionGrew by add
        //= added: added Collections.set["b"]: (absent) -> "b"; CollectionGrew by add
        add();
        Probe.boundary("added");
        //= removed: removed Collections.list[1]: "b" -> (absent); State by remove
        //= removed: removed Collections.map["a"]: 1 -> (absent); State by remove
        //= removed: removed Collections.set["a"]: "a" -> (absent); State by remove
        remove();
        Probe.boundary("removed");
        //= changed: changed Collections.map["b"]: 2 -> 3; State by main
        //= changed: changed Collections.tree["a"]: 1 -> 2; State by main
        map.put("b", 3);
        tree.put("a", 2);
        Probe.boundary("changed");
        list.add("x");
        list.remove("x");
        map.put("x", 1);
        map.remove("x");
        Probe.boundary("internals");
        //= internals: changed Collections.list.modCount: 2 -> 4; Counter by main (internal)
        //= internals: changed Collections.map.modCount: 3 -> 5; Counter by main (internal)
        //= order: changed Collections.linked: LinkedHashMap(2){"a"=1, "b"=2} -> LinkedHashMap(2){"b"=2, "a"=1}; State by main
        linked.put("a", linked.remove("a"));
        Probe.boundary("order");
        //= many: added Collections.list: ArrayList(2)["a", "c"] -> ArrayList(22)["a", "c", 0, 1, 2, 3, …]; CollectionGrew by main
        for (int i = 0; i < 20; i++) list.add(i);
        Probe.boundary("many");
        list = new ArrayList<>(list);
        map = new HashMap<>(map);
        tree = new TreeMap<>(tree);
        set = new HashSet<>(set);
        Probe.boundary("equal copies");
    }

    static void add() {
        list.add("c");
        map.put("b", 2);
        set.add("b");
    }

    static void remove() {
        list.remove("b");
        map.remove("a");
        set.remove("a");
    }
}
