// Preferences on a store of our own, kept in memory: nodes, types, listeners, export, limits.
import java.io.*;
import java.util.*;
import java.util.prefs.*;

public class Preferences0 {
    static class Mem extends AbstractPreferences {
        final Map<String, String> v = new TreeMap<>();
        final Map<String, Mem> kids = new TreeMap<>();
        Mem(AbstractPreferences p, String n) { super(p, n); }
        @Override protected void putSpi(String k, String x) { v.put(k, x); }
        @Override protected String getSpi(String k) { return v.get(k); }
        @Override protected void removeSpi(String k) { v.remove(k); }
        @Override protected void removeNodeSpi() { }
        @Override protected String[] keysSpi() { return v.keySet().toArray(new String[0]); }
        @Override protected String[] childrenNamesSpi() { return kids.keySet().toArray(new String[0]); }
        @Override protected AbstractPreferences childSpi(String n) {
            return kids.computeIfAbsent(n, k -> new Mem(this, k));
        }
        @Override protected void syncSpi() { }
        @Override protected void flushSpi() { }
    }
    interface T { Object run() throws Throwable; }
    static void t(String n, T r) {
        try {
            System.out.println(n + " " + r.run());
        } catch (Throwable e) {
            System.out.println(n + " !" + e.getClass().getSimpleName() + ": " + e.getMessage());
        }
    }
    public static void main(String[] args) throws Exception {
        Mem root = new Mem(null, "");
        Preferences n = root.node("a/b");
        n.put("s", "str");
        n.putInt("i", 5);
        n.putBoolean("z", true);
        n.putDouble("d", 2.5);
        n.putLong("l", 1L << 40);
        n.putFloat("f", 1.5f);
        n.putByteArray("by", new byte[] {1, 2, 3});
        System.out.println(n.get("s", "") + n.getInt("i", 0) + n.getBoolean("z", false) + n.getDouble("d", 0)
            + n.getLong("l", 0) + n.getFloat("f", 0) + Arrays.toString(n.getByteArray("by", null))
            + n.get("none", "dflt") + n.getInt("s", -1) + n.getBoolean("i", true));
        System.out.println(n.absolutePath() + " " + n.name() + n.parent().name() + Arrays.toString(n.keys())
            + Arrays.toString(root.childrenNames()) + root.nodeExists("a/b") + root.nodeExists("zz") + n.isUserNode()
            + (root.node("/a/b") == n) + root.node("") .equals(root));
        n.remove("s");
        System.out.println(n.get("s", "gone"));
        t("null key", () -> { n.put(null, "x"); return 0; });
        t("long key", () -> { n.put("k".repeat(81), "x"); return 0; });
        t("long name", () -> root.node("n".repeat(81)));
        t("slash", () -> root.node("a/"));
        t("double slash", () -> root.node("a//b"));
        t("remove root", () -> { root.removeNode(); return 0; });
        ByteArrayOutputStream bo = new ByteArrayOutputStream();
        n.exportNode(bo);
        System.out.println(bo.toString().contains("<entry key=\"i\" value=\"5\"/>"));
        java.util.concurrent.LinkedBlockingQueue<String> ev = new java.util.concurrent.LinkedBlockingQueue<>();
        n.addPreferenceChangeListener(e -> ev.add(e.getKey() + "=" + e.getNewValue()));
        n.put("new", "val");
        System.out.println(ev.poll(5, java.util.concurrent.TimeUnit.SECONDS));
        n.clear();
        System.out.println(n.keys().length);
        n.removeNode();
        t("removed", () -> n.get("x", ""));
        t("removed flush", () -> { root.flush(); root.sync(); return "fine"; });
    }
}
