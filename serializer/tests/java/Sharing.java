import java.util.ArrayList;
import java.util.List;

/** Equal copies are no change unless something else had, or has, the same object. */
class Sharing {
    static List<String> a = new ArrayList<>(List.of("x"));
    static List<String> b = a;
    static List<String> alone = new ArrayList<>(List.of("y"));
    static Object[] cycle = new Object[1];

    public static void main(String[] args) {
        cycle[0] = cycle;
        Probe.boundary("start");
        alone = new ArrayList<>(alone);
        Probe.boundary("copied alone");
        Object[] copy = new Object[1];
        copy[0] = copy;
        cycle = copy;
        Probe.boundary("copied cycle");
        //= no longer shared: replaced Sharing.b: ArrayList(1)["x"], the same object as Sharing.a -> ArrayList(1)["x"], an object of its own; State by main
        b = new ArrayList<>(b);
        Probe.boundary("no longer shared");
        //= shared again: replaced Sharing.b: ArrayList(1)["x"], an object of its own -> ArrayList(1)["x"], the same object as Sharing.a; State by main
        b = a;
        Probe.boundary("shared again");
    }
}
