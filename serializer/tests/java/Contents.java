import java.util.*;
import java.util.concurrent.*;

/** A collection of each kind, and how it reads. */
class Contents {
    enum Colour { RED, GREEN, BLUE }

    //= arrayList: ArrayList(2)["a", "b"]
    static Object arrayList = new ArrayList<>(List.of("a", "b"));
    //= vector: Vector(1)["a"]
    static Object vector = new Vector<>(List.of("a"));
    //= priorityQueue: PriorityQueue(2)["a", "b"]
    static Object priorityQueue = new PriorityQueue<>(List.of("a", "b"));
    //= ring: ArrayDeque(2)["b", "c"]
    static Object ring = ring(new ArrayDeque<>(4));
    //= window: ArrayBlockingQueue(2)["b", "c"]
    static Object window = ring(new ArrayBlockingQueue<>(3));
    //= linkedList: LinkedList(2)["b", "c"]
    static Object linkedList = ring(new LinkedList<>());
    //= blockingDeque: LinkedBlockingDeque(2)["b", "c"]
    static Object blockingDeque = ring(new LinkedBlockingDeque<>());
    //= blockingQueue: LinkedBlockingQueue(2)["b", "c"]
    static Object blockingQueue = ring(new LinkedBlockingQueue<>());
    //= concurrentQueue: ConcurrentLinkedQueue(2)["b", "c"]
    static Object concurrentQueue = ring(new ConcurrentLinkedQueue<>());
    //= concurrentDeque: ConcurrentLinkedDeque(2)["b", "c"]
    static Object concurrentDeque = ring(new ConcurrentLinkedDeque<>());
    //= hashMap: HashMap(2){"a"=1, "b"=2}
    static Object hashMap = map(new HashMap<>());
    //= linkedHashMap: LinkedHashMap(2){"b"=2, "a"=1}
    static Object linkedHashMap = map(new LinkedHashMap<>());
    //= hashtable: Hashtable(2){"a"=1, "b"=2}
    static Object hashtable = map(new Hashtable<>());
    //= weakHashMap: WeakHashMap(1){"k"=1}
    static Object weakHashMap = new WeakHashMap<>(Map.of("k", 1));
    //= concurrentHashMap: ConcurrentHashMap(2){"a"=1, "b"=2}
    static Object concurrentHashMap = map(new ConcurrentHashMap<>());
    //= properties: Properties(1){"a"=1}
    static Object properties = one(new Properties());
    //= identityHashMap: IdentityHashMap(1){"a"=1}
    static Object identityHashMap = one(new IdentityHashMap<>());
    //= enumMap: EnumMap(1){Contents$Colour.GREEN=1}
    static Object enumMap = new EnumMap<>(Map.of(Colour.GREEN, 1));
    //= treeMap: TreeMap(2){"a"=1, "b"=2}
    static Object treeMap = map(new TreeMap<>());
    //= skipListMap: ConcurrentSkipListMap(2){"a"=1, "b"=2}
    static Object skipListMap = map(new ConcurrentSkipListMap<>());
    //= hashSet: HashSet(1)["a"]
    static Object hashSet = new HashSet<>(List.of("a"));
    //= treeSet: TreeSet(2)["a", "b"]
    static Object treeSet = new TreeSet<>(List.of("b", "a"));
    //= copyOnWriteList: CopyOnWriteArrayList(1)["a"]
    static Object copyOnWriteList = new CopyOnWriteArrayList<>(List.of("a"));
    //= copyOnWriteSet: CopyOnWriteArraySet(1)["a"]
    static Object copyOnWriteSet = new CopyOnWriteArraySet<>(List.of("a"));
    //= enumSet: RegularEnumSet(2)[Contents$Colour.RED, Contents$Colour.BLUE]
    static Object enumSet = EnumSet.of(Colour.BLUE, Colour.RED);
    //= bitSet: BitSet[1]{5}
    static Object bitSet = BitSet.valueOf(new long[] {5});
    //= listOfMany: ImmutableCollections$ListN(3)["a", "b", "c"]
    static Object listOfMany = List.of("a", "b", "c");
    //= listOfTwo: ImmutableCollections$List12(2)["a", "b"]
    static Object listOfTwo = List.of("a", "b");
    //= setOfOne: ImmutableCollections$Set12(1)["a"]
    static Object setOfOne = Set.of("a");
    //= mapOfOne: ImmutableCollections$Map1(1){"a"=1}
    static Object mapOfOne = Map.of("a", 1);
    //= builder: StringBuilder("text")
    static Object builder = new StringBuilder("text");
    //= locale: Locale(de_AT)
    static Object locale = new Locale("de", "AT");
    //= file: File("a/b")
    static Object file = new java.io.File("a/b");

    static Queue<Object> ring(Queue<Object> queue) {
        queue.add("a");
        queue.add("b");
        queue.remove();
        queue.add("c");
        return queue;
    }

    static Object map(Map<Object, Object> map) {
        map.put("b", 2);
        map.put("a", 1);
        return map;
    }

    static Object one(Map<Object, Object> map) {
        map.put("a", 1);
        return map;
    }

    public static void main(String[] args) {
        Probe.boundary("all");
    }
}
