// Collections whose inner workings the tests change, and nothing that shows.
package internal;

import java.io.File;
import java.util.ArrayList;
import java.util.ArrayDeque;
import java.util.BitSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedList;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

public class Inner {
    static Map<String, Integer> put = new HashMap<>(Map.of("a", 1));
    static Map<String, Integer> grown = new HashMap<>(Map.of("a", 1));
    static Map<String, Integer> viewed = new HashMap<>(Map.of("a", 1));
    static Map<String, Integer> untouchedTable = new HashMap<>();
    static TreeMap<String, Integer> tree = new TreeMap<>(Map.of("a", 1));
    static LinkedHashMap<String, Integer> linked = new LinkedHashMap<>(Map.of("a", 1));
    static ConcurrentHashMap<String, Integer> concurrent = new ConcurrentHashMap<>(Map.of("a", 1));
    static ArrayList<String> ensured = new ArrayList<>(List.of("a"));
    static ArrayList<String> trimmed = new ArrayList<>(20);
    static ArrayList<String> addedAndRemoved = new ArrayList<>(List.of("a", "b"));
    static LinkedList<String> linkedList = new LinkedList<>(List.of("a", "b"));
    static ArrayDeque<String> rotated = new ArrayDeque<>(List.of("a", "b"));
    static PriorityQueue<Integer> queue = new PriorityQueue<>(List.of(1, 2, 3));
    static StringBuilder builder = new StringBuilder("text");
    static BitSet bits = BitSet.valueOf(new long[] {1});
    static List<String> sorted = new ArrayList<>(List.of("a", "b"));
    static String text = new String(new char[] {'n', 'o', 't', ' ', 'h', 'a', 's', 'h', 'e', 'd'});
    static Own own = new Own();
    static File file = new File("file");
    static Map<String, Integer> nothing = new HashMap<>();

    static {
        nothing.put("a", null);
    }

    /** Not of the class library: all its fields count. */
    static class Own {
        int modCount;
        transient Object[] spare = new Object[4];
    }
}
