// Method.invoke and Constructor.newInstance: boxing, widening, varargs, exceptions, access, static, inherited, interface.
import java.lang.reflect.*;
import java.util.*;
import java.util.stream.*;

public class Methods {
    public static class Base {
        public String name() { return "base"; }
        protected static int st(int x) { return x + 1; }
        public Object cov() { return "o"; }
    }
    public static class C extends Base implements Comparable<C> {
        int v;
        public C() { }
        protected C(int v) { this.v = v; }
        private C(String s, long... ls) { v = s.length() + ls.length; }
        C(Object o) throws java.io.IOException { if (o == null) throw new java.io.IOException("null!"); v = -1; }
        @Override public String name() { return "c" + v; }
        private int priv(byte b, char c, long l, double d) { return (int) (b + c + l + d) + v; }
        static String prims(boolean z, byte b, char c, short s, int i, long l, float f, double d) {
            return "" + z + b + c + s + i + l + f + d;
        }
        static int var(String s, Object... o) { return o.length; }
        void nothing() { v++; }
        static void boom(String s) throws Exception { throw new java.io.IOException(s); }
        public int compareTo(C o) { return v - o.v; }
        @Override public String cov() { return "s"; }
        static long lng() { return 1L << 40; }
        static char chr() { return 'q'; }
        static boolean bool() { return true; }
        static int[] arr() { return new int[] {1}; }
        static synchronized strictfp final double sync() { return 1.5; }
        <X extends Throwable> X gen(List<? super X> l, X[] x) throws X { return null; }
        static Object nul() { return null; }
        static void err() { throw new StackOverflowError("own"); }
    }
    static abstract class Abs { Abs() { } abstract void m(); }
    interface I {
        default int d(int x) { return x * 2; }
        static int s() { return 5; }
        private int p() { return 6; }
        int abs();
    }
    class Inner { final int q; Inner(int q) { this.q = q; } }
    interface T { Object run() throws Throwable; }
    static void t(String n, T r) {
        try {
            System.out.println(n + " " + r.run());
        } catch (InvocationTargetException e) {
            System.out.println(n + " ITE " + e.getMessage() + " " + e.getCause());
        } catch (Throwable e) {
            System.out.println(n + " !" + e.getClass().getSimpleName() + ": "
                + String.valueOf(e.getMessage()).replaceAll("@[0-9a-f]+", "#"));
        }
    }
    static Method m(String n, Class<?>... p) throws Exception { return C.class.getDeclaredMethod(n, p); }
    public static void main(String[] args) throws Throwable {
        C c = new C(7);
        Method priv = m("priv", byte.class, char.class, long.class, double.class),
            pr = m("prims", boolean.class, byte.class, char.class, short.class, int.class, long.class, float.class,
            double.class), var = m("var", String.class, Object[].class);
        t("exact", () -> priv.invoke(c, (byte) 1, 'a', 3L, 4.5));
        t("widen", () -> priv.invoke(c, (byte) 1, 'a', 3, 4));
        t("narrow", () -> priv.invoke(c, 1, 'a', 3, 4));
        t("null prim", () -> priv.invoke(c, null, 'a', 3, 4));
        t("count", () -> priv.invoke(c, 1));
        t("null args", () -> priv.invoke(c, (Object[]) null));
        t("null recv", () -> priv.invoke(null, (byte) 1, 'a', 3L, 4.5));
        t("wrong recv", () -> priv.invoke("s", (byte) 1, 'a', 3L, 4.5));
        t("prims", () -> pr.invoke(null, true, (byte) -1, 'z', (short) -2, -3, -4L, -5f, -6d));
        t("prims widen", () -> pr.invoke("ignored", true, (byte) -1, 'z', (byte) -2, 'A', (short) -4, 5L, 6f));
        t("prims bad", () -> pr.invoke(null, 1, (byte) -1, 'z', (byte) -2, 'A', (short) -4, 5L, 6f));
        t("var", () -> var.invoke(null, "s", new Object[] {1, 2}));
        t("var flat", () -> var.invoke(null, "s", 1, 2));
        t("void", () -> m("nothing").invoke(c) + " " + c.v);
        t("throws", () -> m("boom", String.class).invoke(null, "io"));
        t("error", () -> m("err").invoke(null));
        t("returns", () -> "" + m("lng").invoke(null) + m("chr").invoke(null) + m("bool").invoke(null)
            + ((int[]) m("arr").invoke(null)).length + m("nul").invoke(null) + m("sync").invoke(null));
        t("virtual", () -> Base.class.getMethod("name").invoke(c));
        t("iface", () -> Comparable.class.getMethod("compareTo", Object.class).invoke(c, new C(3)));
        t("bridge cce", () -> Comparable.class.getMethod("compareTo", Object.class).invoke(c, "x"));
        t("object m", () -> Object.class.getMethod("getClass").invoke(c));
        t("hash", () -> Object.class.getMethod("hashCode").invoke("ab"));
        t("default", () -> I.class.getMethod("d", int.class).invoke((I) () -> 1, 4));
        t("istatic", () -> I.class.getMethod("s").invoke(null));
        t("ipriv", () -> I.class.getDeclaredMethod("p").invoke((I) () -> 1));
        t("on lambda", () -> I.class.getMethod("abs").invoke((I) () -> 77));
        t("jdk", () -> String.class.getMethod("substring", int.class, int.class).invoke("abcdef", 2, 4));
        t("jdk static", () -> Math.class.getMethod("max", double.class, double.class).invoke(null, 1, 2f));
        t("jdk priv", () -> { String.class.getDeclaredMethod("isLatin1").setAccessible(true); return 0; });
        t("list impl", () -> List.of(1).getClass().getMethod("size").invoke(List.of(1)));
        t("list iface", () -> List.class.getMethod("size").invoke(List.of(1, 2)));
        t("static inherited", () -> Base.class.getDeclaredMethod("st", int.class).invoke(null, 4));
        t("no method", () -> C.class.getMethod("priv", int.class));
        t("no method2", () -> C.class.getDeclaredMethod("nope"));
        t("null name", () -> C.class.getMethod(null));
        t("reflect of reflect", () -> Method.class.getMethod("invoke", Object.class,
            Object[].class).invoke(Math.class.getMethod("abs", int.class), null, new Object[] {-4}));
        t("caller", () -> Methods.class.getDeclaredMethod("caller").invoke(null));
        t("ctor", () -> C.class.getConstructor().newInstance().v);
        t("ctor int", () -> C.class.getDeclaredConstructor(int.class).newInstance((byte) 5).v);
        t("ctor var", () -> C.class.getDeclaredConstructor(String.class, long[].class).newInstance("abc",
            new long[2]).v);
        t("ctor throws", () -> C.class.getDeclaredConstructor(Object.class).newInstance((Object) null));
        t("ctor bad", () -> C.class.getDeclaredConstructor(int.class).newInstance("s"));
        t("abstract", () -> Abs.class.getDeclaredConstructor().newInstance());
        t("iface ctor", () -> I.class.getDeclaredConstructor());
        t("inner", () -> Inner.class.getDeclaredConstructor(Methods.class, int.class).newInstance(new Methods(), 4).q);
        t("enum ctor", () -> Thread.State.class.getDeclaredConstructors()[0].newInstance("X", 9));
        t("array ctor", () -> int[].class.getDeclaredConstructors().length);
        t("class ctor", () -> Class.class.getDeclaredConstructors()[0].trySetAccessible());
        t("newInstance", () -> ((C) C.class.newInstance()).v);
        t("prim", () -> int.class.getDeclaredConstructor());
        for (String line : new TreeSet<>(Arrays.stream(C.class.getDeclaredMethods()).map(x -> x + " || "
            + x.toGenericString() + " " + x.isVarArgs() + x.isBridge() + x.isDefault()).toList()))
            System.out.println(line);
        for (String line : new TreeSet<>(Arrays.stream(C.class.getDeclaredConstructors()).map(x -> x + " || "
            + x.toGenericString() + Arrays.toString(x.getExceptionTypes())).toList())) System.out.println(line);
        System.out.println(Arrays.stream(C.class.getMethods()).map(Method::getName).sorted().collect(Collectors.joining(" ")));
        long acc = 0;
        Method cmp = m("compareTo", C.class);
        for (int k = 0; k < 200; k++) {
            C o = C.class.getDeclaredConstructor(int.class).newInstance(k);
            acc += (Integer) cmp.invoke(c, o) + (Integer) priv.invoke(o, (byte) 1, 'b', (long) k, 0.5);
        }
        System.out.println(acc);
        try {
            m("boom", String.class).invoke(null, "trace");
        } catch (InvocationTargetException e) {
            StackTraceElement[] s = e.getCause().getStackTrace();
            System.out.println(s[0] + " " + s[s.length - 1].getMethodName());
        }
    }
    static String caller() {
        return StackWalker.getInstance().walk(s ->
            s.map(StackWalker.StackFrame::getMethodName).limit(2).collect(Collectors.joining(",")));
    }
}
