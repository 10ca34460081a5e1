import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Objects that were changed and whose place was then taken by others. */
class Places {
    static class Box {
        int v;
        Box inner;

        Box(int v) {
            this.v = v;
        }
    }

    /** Reads like any other. */
    static class Stream {
        private final Object target;

        Stream(Object target) {
            this.target = target;
        }
    }

    static Box box = new Box(1);
    static Box one = new Box(1), other;
    static Map<String, Box> map = new HashMap<>();
    static List<Box> list = new ArrayList<>();
    static Box shared = new Box(1);
    static List<Box> alsoShared = new ArrayList<>(List.of(shared));
    static Stream out = new Stream(wrap(1)), err = new Stream(wrap(2));

    static Box wrap(int v) {
        Box box = new Box(0);
        box.inner = new Box(v);
        return box;
    }

    public static void main(String[] args) {
        map.put("a", new Box(1));
        list.add(new Box(1));
        box.inner = new Box(5);
        Probe.boundary("start");
        box.v = 2;
        Box equal = new Box(1);
        equal.inner = new Box(5);
        box = equal;
        Probe.boundary("changed, then replaced by an equal one");
        box.inner.v = 6;
        box.inner = new Box(5);
        Probe.boundary("the same further in");
        map.get("a").v = 3;
        map.put("a", new Box(1));
        list.get(0).v = 3;
        list.set(0, new Box(1));
        Probe.boundary("the same in collections");
        //= replaced by another: replaced Places.box: Places$Box{v=1, inner=Places$Box{v=5}} -> Places$Box{v=9, inner=Places$Box{v=5}}; State by main
        box.v = 2;
        box = new Box(9);
        box.inner = new Box(5);
        Probe.boundary("replaced by another");
        //= grown: changed Places.map["a"].v: 1 -> 4; Counter by main
        //= grown: added Places.map: HashMap(1){"a"=Places$Box{v=1}} -> HashMap(41){"k31"=Places$Box{v=31}, "k30"=Places$Box{v=30}, "k11"=Places$Box{v=11}, "k33"=Places$Box{v=33}, "k10"=Place…; CollectionGrew by main
        map.get("a").v = 4;
        for (int i = 0; i < 40; i++) map.put("k" + i, new Box(i));
        Probe.boundary("grown");
        //= moved: changed Places.one: Places$Box{v=1} -> null; State by main
        //= moved: changed Places.other: null -> Places$Box{v=2}; LazyInitialisation by main
        one.v = 2;
        other = one;
        one = null;
        Probe.boundary("moved");
        //= still shared: changed Places.alsoShared[0].v: 1 -> 8; Counter by main
        //= still shared: replaced Places.alsoShared[0]: Places$Box{v=1}, the same object as Places.shared -> Places$Box{v=8}, an object of its own; State by main
        shared.v = 8;
        shared = new Box(1);
        Probe.boundary("still shared");
        //= reads alike: replaced Places.err: Places$Stream{target=Places$Box{v=0, inner=Places$Box}} -> Places$Stream{target=Places$Box{v=0, inner=Places$Box}}, the same object as Places.out; State by main
        err = out;
        Probe.boundary("reads alike");
        //= reads alike, new: replaced Places.err: Places$Stream{target=Places$Box{v=0, inner=Places$Box}} with .target.inner.v = 1 -> Places$Stream{target=Places$Box{v=0, inner=Places$Box}} with .target.inner.v = 3; State by main
        err = new Stream(wrap(3));
        Probe.boundary("reads alike, new");
    }
}
