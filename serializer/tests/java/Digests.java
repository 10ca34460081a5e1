import java.util.HashMap;
import java.util.Map;

/** Maps of equal contents. */
class Digests {
    static Map<Object, Object> map = new HashMap<>();

    public static void main(String[] args) {
        for (int i = 0; i < 100; i++) map.put(i, "v" + i);
        Probe.boundary("start");
        Map<Object, Object> other = new HashMap<>(4096);
        for (int i = 200; i-- > 0;) other.put(i, "v" + i);
        for (int i = 100; i < 200; i++) other.remove(i);
        map = other;
        Probe.boundary("same contents by another history");
        map.put(5, "other");
        Probe.boundary("other contents");
    }
}
