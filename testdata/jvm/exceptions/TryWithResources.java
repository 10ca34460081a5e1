// try-with-resources: order of closing, suppression, null resources, failures in constructors, existing variables.
import java.util.*;

public class TryWithResources {
    static List<String> log = new ArrayList<>();
    static class R implements AutoCloseable {
        final String n; final boolean bad;
        R(String n) { this(n, false, false); }
        R(String n, boolean badClose, boolean badOpen) {
            if (badOpen) throw new IllegalStateException("open " + n);
            this.n = n;
            bad = badClose;
            log.add("+" + n);
        }
        public void close() { log.add("-" + n); if (bad) throw new IllegalArgumentException("close " + n); }
    }
    interface T { void run() throws Exception; }
    static void t(String name, T r) {
        log.clear();
        try { r.run(); System.out.println(name + " fine " + log); }
        catch (Throwable e) {
            System.out.println(name + " " + e + " suppressed " + Arrays.toString(e.getSuppressed()) + " " + log);
        }
    }
    static String ret() { try (R a = new R("a")) { log.add("body"); return "ret"; } finally { log.add("fin"); } }
    public static void main(String[] args) {
        t("plain", () -> { try (R a = new R("a"); R b = new R("b")) { log.add(a.n + b.n); } });
        t("body", () -> { try (R a = new R("a"); R b = new R("b")) { throw new Exception("body"); } });
        t("close", () -> { try (R a = new R("a", true, false); R b = new R("b", true, false)) { log.add("ok"); } });
        t("both", () -> { try (R a = new R("a", true, false); R b = new R("b", true, false)) { throw new Error("both");
            } });
        t("open", () -> { try (R a = new R("a", true, false); R b = new R("b", false, true)) { log.add("never"); } });
        t("null", () -> { try (R a = null; R b = new R("b")) { log.add("" + a); } });
        t("existing", () -> { R a = new R("a"); final R b = new R("b"); try (a; b) { log.add("in"); } });
        t("catch", () -> { try (R a = new R("a", true, false)) { throw new Exception("x"); } catch (Exception e) {
            log.add("caught " + e.getMessage() + e.getSuppressed().length); } finally { log.add("finally"); } });
        t("lambda", () -> { try (AutoCloseable c = () -> log.add("lambda closed")) { log.add("lambda body"); } });
        t("return", () -> log.add(ret()));
        t("nested", () -> { try (R a = new R("a")) {
            try (R b = new R("b", true, false)) { throw new Exception("in"); } } });
        t("same", () -> { Exception x = new Exception("same");
            try (AutoCloseable c = () -> { throw x; }) { throw x; } });
        t("loop", () -> { for (int i = 0; i < 3; i++) try (R a = new R("l" + i)) { if (i == 1) continue;
            if (i == 2) break; } });
        t("stream", () -> { try (var s = java.util.stream.Stream.of(1,
            2).onClose(() -> log.add("c1")).onClose(() -> { throw new RuntimeException("c2"); }).onClose(()
            -> { throw new RuntimeException("c3"); })) { log.add("" + s.count()); } });
    }
}
