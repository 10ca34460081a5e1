// Stack traces as printed: causes with common frames elided, suppressed ones, circular references, constructors, lambdas.
import java.io.*;
import java.util.*;

public class Traces {
    static class Custom extends Exception {
        Custom(String m, Throwable c) { super(m, c); }
        @Override public String getLocalizedMessage() { return "local:" + getMessage(); }
    }
    static class Quiet extends RuntimeException { Quiet(String m) { super(m, null, false, false); } }
    static class NoMessage extends Error { @Override public String toString() { return "NoMessage!"; } }
    static void low(int n) { if (n == 0) throw new IllegalStateException("low"); low(n - 1); }
    static void mid() throws Custom { try { low(3); } catch (IllegalStateException e) { throw new Custom("mid", e); } }
    static void high() { try { mid(); } catch (Custom e) { throw new RuntimeException(e); } }
    static class Ctor { int v = init(); static int init() { throw new UnsupportedOperationException(); } }
    static class Res implements AutoCloseable {
        final String n;
        Res(String n) { this.n = n; }
        public void close() throws IOException { throw new IOException("close " + n, new Quiet("inner " + n)); }
    }
    static void show(Throwable t) {
        StringWriter sw = new StringWriter();
        t.printStackTrace(new PrintWriter(sw, true));
        System.out.print(sw.toString().replaceAll("(java.base/.*\\.java):\\d+", "$1"));
    }
    interface Thrower { void run() throws Throwable; }
    static void attempt(Thrower r) { try { r.run(); } catch (Throwable t) { show(t); } }

    public static void main(String[] args) {
        try { high(); } catch (RuntimeException e) { show(e); }
        try { new Ctor(); } catch (UnsupportedOperationException e) { show(e); }
        try {
            try (Res a = new Res("a"); Res b = new Res("b")) { throw new Quiet("body"); }
        } catch (Exception e) {
            show(e);
            System.out.println(e.getSuppressed().length);
        }
        try {
            try (Res a = new Res("c"); Res b = new Res("d")) { low(1); }
        } catch (Exception e) {
            show(e);
            System.out.println(e.getSuppressed().length);
        }
        try { throw new NoMessage(); } catch (NoMessage e) { show(e); }
        Exception a = new Exception("a"), b = new Exception("b", a);
        a.initCause(b);
        show(a);
        Exception s = new Exception("self sup");
        Exception s2 = new Exception("other", s);
        s.addSuppressed(s2);
        show(s);
        try {
            s.addSuppressed(s);
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage() + " " + (e.getCause() == s));
        }
        try { s.addSuppressed(null); } catch (NullPointerException e) { System.out.println(e.getMessage()); }
        try {
            b.initCause(null);
        } catch (IllegalStateException e) {
            System.out.println(e.getMessage().replaceAll("\\s+", " "));
        }
        try {
            Exception x = new Exception();
            x.initCause(x);
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
        Runnable r = () -> low(0);
        try {
            r.run();
        } catch (IllegalStateException e) {
            for (StackTraceElement el : e.getStackTrace())
                System.out.println(el.getMethodName() + ":" + el.getLineNumber() + ":" + el.getFileName() + ":"
                    + el.getClassName() + ":" + el.isNativeMethod() + ":" + el.getModuleName() + ":"
                    + el.getClassLoaderName());
        }
        try {
            List.of(1).forEach(i -> low(0));
        } catch (IllegalStateException e) {
            System.out.println(Arrays.asList(e.getStackTrace()).toString().replaceAll("java:\\d+", "java"));
        }
        attempt(() -> Integer.parseInt("zz"));
        attempt(() -> { Object o = Optional.empty().get(); });
        attempt(() -> new ArrayList<>(List.of(1)).get(3));
        attempt(() -> List.of(1).add(2));
        attempt(() -> { throw new Quiet("no trace"); });
        attempt(() -> { Throwable t = new Throwable("set");
            t.setStackTrace(new StackTraceElement[] {new StackTraceElement("my.Cls", "meth", "File.x", 7),
            new StackTraceElement("n.N", "nat", null, -2), new StackTraceElement("u.U", "unk", null, -1),
            new StackTraceElement("app", "mod", "1.0", "p.C", "m", "C.java", 3)}); throw t; });
        attempt(() -> { Throwable t = new RuntimeException("refill"); refill(t); throw t; });
        System.out.println(new StackTraceElement("a.B", "c", "B.java",
            1).equals(new StackTraceElement("a.B", "c", "B.java", 1)) + " " + new Exception((String) null).getMessage()
            + " " + new Exception((Throwable) null).getMessage() + " " + new Exception(new Error("e")).getMessage());
    }
    static void refill(Throwable t) { t.fillInStackTrace(); }
}
