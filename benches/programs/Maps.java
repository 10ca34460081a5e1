// HashMap and TreeMap with boxed and string keys.
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

public class Maps {
    public static void main(String[] args) {
        Map<Integer, Integer> numbers = new HashMap<>();
        for (int i = 0; i < 250_000; i++) {
            numbers.merge((i * 31) % 20_011, 1, Integer::sum);
        }
        Map<String, Integer> words = new HashMap<>();
        String[] keys = new String[5000];
        for (int i = 0; i < keys.length; i++) {
            keys[i] = "key-" + i;
        }
        for (int i = 0; i < 250_000; i++) {
            String key = keys[(i * 17) % keys.length];
            Integer old = words.get(key);
            words.put(key, old == null ? i : old ^ i);
        }
        TreeMap<Integer, Integer> tree = new TreeMap<>();
        for (int i = 0; i < 60_000; i++) {
            tree.put((i * 7919) % 30_011, i);
        }
        long sum = 0;
        for (Map.Entry<Integer, Integer> e : numbers.entrySet()) {
            sum += (long) e.getKey() * e.getValue();
        }
        for (int v : words.values()) {
            sum ^= v;
        }
        for (int k : tree.subMap(1000, 20_000).keySet()) {
            sum += k;
        }
        System.out.println(sum + " " + numbers.size() + " " + words.size() + " " + tree.size());
    }
}
