// Fields and classes that the rule on names hides.
package ignored;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

public class Held {
    static final Map<String, String> cache = new HashMap<>();
    static final List<String> CACHED_NAMES = new ArrayList<>();
    static final Holder holder = new Holder();
    static final Map<String, String> plain = new HashMap<>();

    static void load() {
        LookupCache.entries.size();
    }

    /** A field below a root, hidden by its own name. */
    static class Holder {
        final Map<String, String> resultCache = new HashMap<>();
        int size;
    }

    /** Hidden by the name of its class. */
    static class LookupCache {
        static final List<String> entries = new ArrayList<>();
    }
}
