package fix.app;

import java.util.HashMap;
import java.util.Map;

/** Code under test that knows how to forget. */
public final class Registry {
    private static final Map<String, String> ENTRIES = new HashMap<String, String>();

    private Registry() {
    }

    public static void register(String name, String value) {
        ENTRIES.put(name, value);
    }

    public static String find(String name) {
        return ENTRIES.get(name);
    }

    public static void clear() {
        ENTRIES.clear();
    }
}
