import java.util.ArrayList;
import java.util.List;

/** Values of ThreadLocals, which all read alike. */
class Locals {
    static final ThreadLocal<String> FIRST = new ThreadLocal<>();
    static final ThreadLocal<String> SECOND = new ThreadLocal<>();
    static final List<Named> kept = new ArrayList<>(List.of(new Named()));

    /** Reads by its class alone, however it is hashed. */
    static class Named extends ThreadLocal<String> {}

    public static void main(String[] args) {
        FIRST.get();
        Probe.boundary("start");
        //= set: added Locals.SECOND[thread "main"]: (absent) -> "b"; CollectionGrew by main
        SECOND.set("b");
        Probe.boundary("set");
        //= both: added Locals.FIRST[thread "main"]: (absent) -> "a"; CollectionGrew by main
        //= both: changed Locals.SECOND[thread "main"]: "b" -> "c"; State by main
        FIRST.set("a");
        SECOND.set("c");
        Probe.boundary("both");
        //= gone: removed Locals.FIRST[thread "main"]: "a" -> (absent); State by main
        FIRST.remove();
        Probe.boundary("gone");
        //= lost: added thread "main".threadLocals[Locals$Named]: (absent) -> "lost"; CollectionGrew by main (internal)
        new Named().set("lost");
        Probe.boundary("lost");
        //= kept and lost: added thread "main".threadLocals[Locals$Named]: (absent) -> "kept"; CollectionGrew by main
        //= kept and lost: added thread "main".threadLocals[Locals$Named]: (absent) -> "lost too"; CollectionGrew by main (internal)
        kept.get(0).set("kept");
        new Named().set("lost too");
        Probe.boundary("kept and lost");
    }
}
