// User exceptions: hierarchies, chained causes, overridden getters, writableStackTrace, serialised traces, generic throws.
import java.io.*;
import java.util.*;
import java.util.function.*;

public class Custom {
    static class AppException extends Exception {
        final int code;
        AppException(int code, String m) { super(m); this.code = code; }
        @Override public String toString() { return "App#" + code + ":" + getMessage(); }
    }
    static class Computed extends RuntimeException {
        int calls;
        @Override public String getMessage() { return "computed" + ++calls; }
    }
    static class NoTrace extends RuntimeException { NoTrace() { super("nt", null, true, false); } }
    static class NoSup extends RuntimeException { NoSup() { super("ns", null, false, true); } }
    static class OwnFill extends RuntimeException {
        static int fills;
        @Override public synchronized Throwable fillInStackTrace() { fills++; return this; }
    }
    static class OwnCause extends RuntimeException {
        @Override public synchronized Throwable getCause() { return new Error("virtual"); }
    }
    static <E extends Throwable> void raise(Supplier<E> s) throws E { throw s.get(); }
    static Throwable root(Throwable t) { while (t.getCause() != null) t = t.getCause(); return t; }
    static String first(Throwable t) {
        StringWriter w = new StringWriter();
        t.printStackTrace(new PrintWriter(w));
        return w.toString().lines().findFirst().get();
    }
    public static void main(String[] args) throws Exception {
        try {
            raise(() -> new AppException(7, "m"));
        } catch (AppException e) {
            System.out.println(e + " " + e.code + " " + first(e));
        }
        Computed c = new Computed(); System.out.println(c.getMessage() + c + c.getLocalizedMessage());
        System.out.println(new NoTrace().getStackTrace().length + " " + new NoSup().getStackTrace().length);
        NoSup ns = new NoSup(); ns.addSuppressed(c); System.out.println(ns.getSuppressed().length);
        NoTrace nt = new NoTrace();
        nt.setStackTrace(new Throwable().getStackTrace());
        System.out.println(nt.getStackTrace().length);
        OwnFill of = new OwnFill();
        System.out.println(OwnFill.fills + " " + of.getStackTrace().length);
        new OwnFill();
        System.out.println(OwnFill.fills);
        StringWriter w = new StringWriter();
        new OwnCause().printStackTrace(new PrintWriter(w));
        System.out.println(w.toString().contains("Caused by: java.lang.Error: virtual"));
        System.out.println(root(new RuntimeException(new IOException(new Error("root")))).getMessage());
        ByteArrayOutputStream bo = new ByteArrayOutputStream();
        AppException ae = new AppException(9, "ser");
        ae.initCause(new IOException("why"));
        ae.addSuppressed(new Error("sup"));
        new ObjectOutputStream(bo).writeObject(ae);
        AppException back = (AppException) new ObjectInputStream(new
            ByteArrayInputStream(bo.toByteArray())).readObject();
        System.out.println(back + " " + back.code + " " + back.getCause() + " " + back.getSuppressed()[0] + " "
            + Arrays.equals(ae.getStackTrace(), back.getStackTrace()) + " " + back.getStackTrace()[0]);
        StackTraceElement[] st = ae.getStackTrace(); st[0] = null; System.out.println(ae.getStackTrace()[0] != null);
        try {
            ae.setStackTrace(new StackTraceElement[] {null});
        } catch (NullPointerException e) {
            System.out.println(e.getMessage());
        }
        System.out.println(Thread.currentThread().getStackTrace()[1].getMethodName() + " "
            + Thread.currentThread().getStackTrace()[0].getMethodName());
        int depth = 0;
        try {
            rec(50);
        } catch (RuntimeException e) {
            for (StackTraceElement s : e.getStackTrace()) if (s.getMethodName().equals("rec")) depth++;
        }
        System.out.println(depth);
        Map<String, Integer> counts = new TreeMap<>();
        for (int i = 0; i < 600; i++) try {
            switch (i % 5) {
                case 0 -> throw new AppException(i, "");
                case 1 -> ((Object) null).hashCode();
                case 2 -> System.out.println(1 / (i - i));
                case 3 -> (new int[1])[i] = 1;
                default -> ((Object[]) new String[1])[0] = 1;
            }
        } catch (Exception e) {
            counts.merge(e.getClass().getSimpleName(), 1, Integer::sum);
        }
        System.out.println(counts);
    }
    static void rec(int n) { if (n == 0) throw new RuntimeException(); rec(n - 1); }
}
