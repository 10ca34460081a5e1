package trial;

import java.util.ArrayList;
import java.util.List;

/** Shared state. */
public class Registry {
    static final List<String> NAMES = new ArrayList<>();
    static boolean debug;

    public static class Node {
        Node next;
    }

    static Node chain;
}
