package shop;

import java.util.ArrayList;
import java.util.List;

/** All goods on sale, in one list for everybody. */
public final class Catalog {
    private static final List<String> GOODS = new ArrayList<>();

    private Catalog() {}

    public static void register(String name) {
        GOODS.add(name);
    }

    public static boolean has(String name) {
        return GOODS.contains(name);
    }

    public static int size() {
        return GOODS.size();
    }

    public static void clear() {
        GOODS.clear();
    }
}
