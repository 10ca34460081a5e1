// The state that CollectionsTest writes to, one field for each test.
package collections;

import java.time.DayOfWeek;
import java.util.*;
import java.util.concurrent.*;

public class Kept {
    static List<String> arrayListAdded = new ArrayList<>(List.of("a", "b", "c"));
    static List<String> arrayListRemoved = new ArrayList<>(List.of("a", "b", "c"));
    static List<String> arrayListReplaced = new ArrayList<>(List.of("a", "b", "c"));
    static List<String> arrayListInserted = new ArrayList<>(List.of("a", "b", "c"));
    static List<String> arrayListOrder = new ArrayList<>(List.of("a", "b", "c"));
    static List<String> linkedListAdded = new LinkedList<>(List.of("a", "b", "c"));
    static List<String> linkedListRemoved = new LinkedList<>(List.of("a", "b", "c"));
    static List<String> linkedListReplaced = new LinkedList<>(List.of("a", "b", "c"));
    static List<String> linkedListInserted = new LinkedList<>(List.of("a", "b", "c"));
    static List<String> linkedListOrder = new LinkedList<>(List.of("a", "b", "c"));
    static List<String> vectorAdded = new Vector<>(List.of("a", "b", "c"));
    static List<String> vectorRemoved = new Vector<>(List.of("a", "b", "c"));
    static List<String> vectorReplaced = new Vector<>(List.of("a", "b", "c"));
    static List<String> vectorInserted = new Vector<>(List.of("a", "b", "c"));
    static List<String> vectorOrder = new Vector<>(List.of("a", "b", "c"));
    static List<String> copyListAdded = new CopyOnWriteArrayList<>(List.of("a", "b", "c"));
    static List<String> copyListRemoved = new CopyOnWriteArrayList<>(List.of("a", "b", "c"));
    static List<String> copyListReplaced = new CopyOnWriteArrayList<>(List.of("a", "b", "c"));
    static List<String> copyListInserted = new CopyOnWriteArrayList<>(List.of("a", "b", "c"));
    static List<String> copyListOrder = new CopyOnWriteArrayList<>(List.of("a", "b", "c"));
    static List<String> cleared = new ArrayList<>(List.of("a", "b", "c"));
    static Queue<String> arrayDequeAdded = new ArrayDeque<>(List.of("a", "b", "c"));
    static Queue<String> arrayDequeRemoved = new ArrayDeque<>(List.of("a", "b", "c"));
    static Queue<String> priorityQueueAdded = new PriorityQueue<>(List.of("a", "b", "c"));
    static Queue<String> priorityQueueRemoved = new PriorityQueue<>(List.of("a", "b", "c"));
    static Queue<String> blockingQueueAdded = new LinkedBlockingQueue<>(List.of("a", "b", "c"));
    static Queue<String> blockingQueueRemoved = new LinkedBlockingQueue<>(List.of("a", "b", "c"));
    static Queue<String> linkedQueueAdded = new ConcurrentLinkedQueue<>(List.of("a", "b", "c"));
    static Queue<String> linkedQueueRemoved = new ConcurrentLinkedQueue<>(List.of("a", "b", "c"));
    static Queue<String> arrayQueueAdded = new ArrayBlockingQueue<>(10, true, List.of("a", "b", "c"));
    static Queue<String> arrayQueueRemoved = new ArrayBlockingQueue<>(10, true, List.of("a", "b", "c"));
    static ArrayDeque<String> arrayDequeFirst = new ArrayDeque<>(List.of("a", "b"));
    static Map<String, Integer> hashMapAdded = new HashMap<>(Map.of("a", 1, "b", 2));
    static Map<String, Integer> hashMapRemoved = new HashMap<>(Map.of("a", 1, "b", 2));
    static Map<String, Integer> hashMapReplaced = new HashMap<>(Map.of("a", 1, "b", 2));
    static Map<String, List<String>> hashMapDeep = new HashMap<>(Map.of("k", new ArrayList<>(List.of("v"))));
    static Map<String, Integer> linkedHashMapAdded = new LinkedHashMap<>(Map.of("a", 1, "b", 2));
    static Map<String, Integer> linkedHashMapRemoved = new LinkedHashMap<>(Map.of("a", 1, "b", 2));
    static Map<String, Integer> linkedHashMapReplaced = new LinkedHashMap<>(Map.of("a", 1, "b", 2));
    static Map<String, Integer> treeMapAdded = new TreeMap<>(Map.of("a", 1, "b", 2));
    static Map<String, Integer> treeMapRemoved = new TreeMap<>(Map.of("a", 1, "b", 2));
    static Map<String, Integer> treeMapReplaced = new TreeMap<>(Map.of("a", 1, "b", 2));
    static Map<String, List<String>> treeMapDeep = new TreeMap<>(Map.of("k", new ArrayList<>(List.of("v"))));
    static Map<String, Integer> identityMapAdded = new IdentityHashMap<>(Map.of("a", 1, "b", 2));
    static Map<String, Integer> identityMapRemoved = new IdentityHashMap<>(Map.of("a", 1, "b", 2));
    static Map<String, Integer> identityMapReplaced = new IdentityHashMap<>(Map.of("a", 1, "b", 2));
    static Map<String, Integer> weakMapAdded = new WeakHashMap<>(Map.of("a", 1, "b", 2));
    static Map<String, Integer> weakMapRemoved = new WeakHashMap<>(Map.of("a", 1, "b", 2));
    static Map<String, Integer> weakMapReplaced = new WeakHashMap<>(Map.of("a", 1, "b", 2));
    static Map<String, Integer> concurrentMapAdded = new ConcurrentHashMap<>(Map.of("a", 1, "b", 2));
    static Map<String, Integer> concurrentMapRemoved = new ConcurrentHashMap<>(Map.of("a", 1, "b", 2));
    static Map<String, Integer> concurrentMapReplaced = new ConcurrentHashMap<>(Map.of("a", 1, "b", 2));
    static Map<String, List<String>> concurrentMapDeep = new ConcurrentHashMap<>(Map.of("k", new ArrayList<>(List.of("v"))));
    static Map<String, Integer> hashtableAdded = new Hashtable<>(Map.of("a", 1, "b", 2));
    static Map<String, Integer> hashtableRemoved = new Hashtable<>(Map.of("a", 1, "b", 2));
    static Map<String, Integer> hashtableReplaced = new Hashtable<>(Map.of("a", 1, "b", 2));
    static Map<String, List<String>> hashtableDeep = new Hashtable<>(Map.of("k", new ArrayList<>(List.of("v"))));
    static Map<String, Integer> skipListMapAdded = new ConcurrentSkipListMap<>(Map.of("a", 1, "b", 2));
    static Map<String, Integer> skipListMapRemoved = new ConcurrentSkipListMap<>(Map.of("a", 1, "b", 2));
    static Map<String, Integer> skipListMapReplaced = new ConcurrentSkipListMap<>(Map.of("a", 1, "b", 2));
    static Map<String, Integer> ordered = ordered("a", "b", "c");
    static Map<String, Integer> unordered = new HashMap<>(ordered("a", "b", "c"));
    static Map<Integer, String> collided = collided(1, 17, 33);
    static Map<String, Integer> access = access("a", "b", "c");
    static EnumMap<DayOfWeek, String> enumMap = new EnumMap<>(Map.of(DayOfWeek.MONDAY, "m"));
    static EnumMap<DayOfWeek, String> enumMapOther = new EnumMap<>(Map.of(DayOfWeek.MONDAY, "m"));
    static Properties properties = properties("a", "1");
    static Set<String> hashSetAdded = new HashSet<>(List.of("a", "b"));
    static Set<String> hashSetRemoved = new HashSet<>(List.of("a", "b"));
    static Set<String> linkedHashSetAdded = new LinkedHashSet<>(List.of("a", "b"));
    static Set<String> linkedHashSetRemoved = new LinkedHashSet<>(List.of("a", "b"));
    static Set<String> treeSetAdded = new TreeSet<>(List.of("a", "b"));
    static Set<String> treeSetRemoved = new TreeSet<>(List.of("a", "b"));
    static Set<String> copySetAdded = new CopyOnWriteArraySet<>(List.of("a", "b"));
    static Set<String> copySetRemoved = new CopyOnWriteArraySet<>(List.of("a", "b"));
    static Set<String> keySetAdded = ConcurrentHashMap.newKeySet();
    static EnumSet<DayOfWeek> enumSet = EnumSet.of(DayOfWeek.MONDAY);
    static BitSet bits = BitSet.valueOf(new long[] {5});
    static StringBuilder builder = new StringBuilder("ab");
    static StringBuffer buffer = new StringBuffer("ab");
    static List<String> backed = new ArrayList<>(List.of("a"));
    static List<String> unmodifiable = Collections.unmodifiableList(backed);
    static List<String> synchronizedList = Collections.synchronizedList(new ArrayList<>(List.of("a")));
    static Map<String, String> synchronizedMap = Collections.synchronizedMap(new HashMap<>());
    static List<String> asList = Arrays.asList("a", "b");
    static List<String> immutable = List.of("a", "b");
    static List<String> equalImmutable = List.of("a", "b");
    static Map<String, Integer> immutableMap = Map.of("a", 1);
    static int[] ints = {1, 2, 3};
    static int[] resized = {1, 2, 3};
    static int[] equalArray = {1, 2, 3};
    static String[][] nested = {{"a"}, {"b", "c"}};
    static byte[] bytes = new byte[4096];
    static long[] longs = {1L, 2L};
    static Object[] objects = {null, "x", 5};
    static Map<String, Integer> many = new TreeMap<>();
    static Collection<String> equalArrayList = new ArrayList<>(List.of("b", "a", "c"));
    static Collection<String> equalLinkedList = new LinkedList<>(List.of("b", "a", "c"));
    static Collection<String> equalHashSet = new HashSet<>(List.of("b", "a", "c"));
    static Collection<String> equalTreeSet = new TreeSet<>(List.of("b", "a", "c"));
    static Collection<String> equalArrayDeque = new ArrayDeque<>(List.of("b", "a", "c"));
    static Collection<String> equalPriorityQueue = new PriorityQueue<>(List.of("b", "a", "c"));
    static List<int[]> arraysInList = new ArrayList<>(List.of(new int[] {1, 2}, new int[] {3, 4}));
    static Map<String, String[]> arraysInMap = new HashMap<>(Map.of("k", new String[] {"a", "b"}));
    static Set<List<String>> listsInSet = new HashSet<>(Set.of(new ArrayList<>(List.of("a"))));
    static Map<String, Map<String, Integer>> mapsInMap = new TreeMap<>(Map.of("outer", new HashMap<>()));

    static void load() {}

    static Map<String, Integer> ordered(String... keys) {
        return filled(new LinkedHashMap<>(), keys);
    }

    static Map<String, Integer> access(String... keys) {
        return filled(new LinkedHashMap<>(16, 0.75f, true), keys);
    }

    private static Map<String, Integer> filled(Map<String, Integer> map, String... keys) {
        for (String key : keys) {
            map.put(key, map.size());
        }
        return map;
    }

    static Map<Integer, String> collided(int... keys) {
        Map<Integer, String> map = new HashMap<>();
        for (int key : keys) {
            map.put(key, "v" + key);
        }
        return map;
    }

    static Properties properties(String key, String value) {
        Properties made = new Properties();
        made.setProperty(key, value);
        return made;
    }
}
