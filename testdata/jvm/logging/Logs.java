// java.util.logging with handlers and formatters of our own: levels, parents, filters, records, bundles, handlers that fail, System.Logger.
import java.util.*;
import java.util.function.Supplier;
import java.util.logging.*;
import java.util.logging.Formatter;

public class Logs {
    static class Mem extends Handler {
        final List<String> l = new ArrayList<>();
        {
            setLevel(Level.ALL);
            setFormatter(new Formatter() { @Override public String format(LogRecord r) {
                return r.getLevel() + "|" + r.getLoggerName() + "|" + r.getSourceClassName() + "."
                + r.getSourceMethodName() + "|" + formatMessage(r) + "|" + r.getThrown(); } });
        }
        @Override public void publish(LogRecord r) { if (isLoggable(r)) l.add(getFormatter().format(r)); }
        @Override public void flush() { l.add("flush"); }
        @Override public void close() { l.add("close"); }
        void dump() { l.forEach(System.out::println); l.clear(); }
    }
    public static class Bun extends ListResourceBundle {
        protected Object[][] getContents() { return new Object[][] {{"key", "translated {0}"}}; }
    }
    public static void main(String[] args) throws Exception {
        Logger root = Logger.getLogger(""), a = Logger.getLogger("a"), ab = Logger.getLogger("a.b"),
            abc = Logger.getLogger("a.b.c");
        for (Handler h : root.getHandlers()) root.removeHandler(h);
        Mem m = new Mem(), m2 = new Mem();
        root.addHandler(m);
        System.out.println(root.getLevel() + " " + a.getLevel() + abc.getParent().getName()
            + (Logger.getLogger("a") == a) + Logger.getGlobal().getName() + a.getUseParentHandlers());
        a.info("hello");
        a.fine("hidden");
        ab.setLevel(Level.FINE);
        abc.fine("inherited");
        abc.finer("no");
        abc.log(Level.WARNING, "param {0} {1}", new Object[] {1, "x"});
        abc.log(Level.SEVERE, "thrown", new IllegalStateException("ex"));
        abc.log(Level.INFO, "one {0}", 5);
        abc.log(Level.INFO, "no params {0}");
        abc.log(Level.INFO, () -> "supplied");
        abc.finest((Supplier<String>) () -> { throw new Error("not evaluated"); });
        abc.entering("C", "m", 5);
        abc.setLevel(Level.ALL);
        abc.entering("C", "m", "arg");
        abc.exiting("C", "m", "ret");
        abc.throwing("C", "m", new Exception("t"));
        abc.logp(Level.CONFIG, "Src", "meth", "logp {0}", "z");
        abc.config("cfg");
        m.dump();
        abc.addHandler(m2);
        abc.setUseParentHandlers(false);
        abc.warning("only m2");
        System.out.println(m.l.size());
        m2.dump();
        abc.setFilter(r -> r.getMessage().contains("keep"));
        abc.info("drop");
        abc.info("keep me");
        m2.dump();
        abc.setFilter(null);
        m2.setLevel(Level.SEVERE);
        abc.info("low");
        abc.severe("high");
        m2.dump();
        a.setLevel(Level.OFF);
        a.severe("never");
        a.setLevel(null);
        System.out.println(a.isLoggable(Level.INFO) + " " + a.isLoggable(Level.FINE) + ab.isLoggable(Level.FINE));
        m.dump();
        Logger bl = Logger.getLogger("bundled", "Logs$Bun");
        bl.log(Level.INFO, "key", "arg");
        bl.info("nokey");
        System.out.println(bl.getResourceBundleName());
        m.dump();
        try {
            Logger.getLogger("bundled2", "no.Bundle");
        } catch (MissingResourceException e) {
            System.out.println(e.getMessage());
        }
        Level custom = new Level("CUSTOM", 850, null) { };
        a.log(custom, "custom");
        System.out.println(Level.parse("800") + " " + Level.parse("CUSTOM").intValue()
            + Level.FINE.equals(Level.parse("500")));
        m.dump();
        try { Level.parse("nope"); } catch (IllegalArgumentException e) { System.out.println(e.getMessage()); }
        Logger anon = Logger.getAnonymousLogger();
        anon.info("anon");
        m.dump();
        LogRecord r = new LogRecord(Level.INFO, "manual {0}");
        r.setParameters(new Object[] {7});
        r.setLoggerName("mine");
        r.setInstant(java.time.Instant.EPOCH);
        r.setSourceClassName("S");
        r.setSourceMethodName("q");
        r.setThrown(null);
        a.log(r);
        m.dump();
        SimpleFormatter sf = new SimpleFormatter();
        System.out.print(sf.format(r).replaceAll("^.*?\n", "DATE\n"));
        String x = new XMLFormatter().format(r);
        System.out.println(x.contains("<message>manual {0}</message>") + " " + x.contains("<param>7</param>"));
        MemoryHandler mh = new MemoryHandler(m, 3, Level.SEVERE);
        Logger buf = Logger.getLogger("buf");
        buf.setUseParentHandlers(false);
        buf.addHandler(mh);
        for (int i = 0; i < 5; i++) buf.info("b" + i);
        System.out.println(m.l.size());
        buf.severe("push");
        m.dump();
        Handler bad = new StreamHandler(new java.io.OutputStream() {
            @Override public void write(int b) throws java.io.IOException { throw new java.io.IOException("disk"); } },
            new SimpleFormatter());
        bad.setErrorManager(new ErrorManager() { @Override public void error(String s, Exception e, int c) {
            System.out.println("error " + s + " " + e + " " + c); } });
        bad.publish(r);
        bad.flush();
        java.io.ByteArrayOutputStream bo = new java.io.ByteArrayOutputStream();
        StreamHandler sh = new StreamHandler(bo, new Formatter() {
            @Override public String format(LogRecord q) { return q.getMessage() + ";";
            } @Override public String getHead(Handler h) { return "HEAD ";
            } @Override public String getTail(Handler h) { return "TAIL"; } });
        sh.publish(r);
        sh.close();
        System.out.println(bo);
        LogManager.getLogManager().readConfiguration(new
            java.io.ByteArrayInputStream(".level=FINE\nconf.level=SEVERE\n".getBytes()));
        System.out.println(Logger.getLogger("conf").getLevel() + " " + Logger.getLogger("").getLevel()
            + Collections.list(LogManager.getLogManager().getLoggerNames()).contains("a.b")
            + LogManager.getLogManager().getProperty(".level"));
        Logger.getLogger("").addHandler(m);
        System.Logger sl = System.getLogger("sys");
        sl.log(System.Logger.Level.WARNING, "system {0}", "p");
        sl.log(System.Logger.Level.DEBUG, () -> "dbg");
        System.out.println(sl.getName() + sl.isLoggable(System.Logger.Level.TRACE));
        for (String s : m.l) System.out.println(s);
    }
}
