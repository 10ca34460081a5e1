// Of spark: a map replaced by another. PathFinder's comparison reports it.
package paper;

import java.util.HashMap;
import java.util.Map;

public class ExceptionMapper {
    static Map<Class<?>, String> servletInstance = new HashMap<>();
    static Map<Class<?>, String> otherType = new HashMap<>();
    static Map<Class<?>, String> filled = filled();

    static Map<Class<?>, String> filled() {
        Map<Class<?>, String> made = new HashMap<>();
        made.put(IllegalStateException.class, "state");
        made.put(IllegalArgumentException.class, "argument");
        return made;
    }
}
