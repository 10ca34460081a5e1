// Method handles: every kind of lookup, invokeExact and invoke with conversions, failures, bind, spread, collect, varargs.
import java.lang.invoke.*;
import java.util.*;

public class Handles {
    int f = 5;
    static long sf = 6;
    final String fin = "fin";
    private int priv(int a) { return a * f; }
    static String stat(String a, int b) { return a + b; }
    public Handles() { }
    Handles(int f) { this.f = f; }
    static String var(String a, Object... r) { return a + Arrays.toString(r); }
    static void nothing() { }
    static int thrower(int i) { throw new IllegalStateException("t" + i); }
    static class Base { String who() { return "base"; } }
    static class Derived extends Base {
        @Override String who() { return "derived"; }
        static MethodHandle sup() throws Exception {
            return MethodHandles.lookup().findSpecial(Base.class, "who", MethodType.methodType(String.class),
                Derived.class);
        }
    }
    interface I { default String d() { return "idef"; } static String s() { return "istat"; } int abs(int x); }
    static double mixed(byte b, short s, char c, int i, long l, float f, double d, boolean z) {
        return b + s + c + i + l + f + d + (z ? 1 : 0);
    }
    interface T { Object run() throws Throwable; }
    static void t(String n, T r) {
        try {
            System.out.println(n + " " + r.run());
        } catch (Throwable e) {
            System.out.println(n + " !" + e.getClass().getSimpleName() + ": "
                + String.valueOf(e.getMessage()).replaceAll("@[0-9a-f]+", "@"));
        }
    }
    public static void main(String[] args) throws Throwable {
        MethodHandles.Lookup l = MethodHandles.lookup();
        MethodType si = MethodType.methodType(String.class, String.class, int.class);
        Handles h = new Handles();
        MethodHandle st = l.findStatic(Handles.class, "stat", si),
            pr = l.findVirtual(Handles.class, "priv", MethodType.methodType(int.class, int.class)),
            ctor = l.findConstructor(Handles.class, MethodType.methodType(void.class, int.class)),
            g = l.findGetter(Handles.class, "f", int.class), s = l.findSetter(Handles.class, "f", int.class),
            sg = l.findStaticGetter(Handles.class, "sf", long.class),
            ss = l.findStaticSetter(Handles.class, "sf", long.class),
            vr = l.findStatic(Handles.class, "var", MethodType.methodType(String.class, String.class, Object[].class));
        t("exact", () -> (String) st.invokeExact("a", 1));
        t("wrong exact", () -> (Object) st.invokeExact("a", 1));
        t("wrong exact2", () -> (String) st.invokeExact("a", (Integer) 1));
        t("invoke", () -> st.invoke((Object) "a", (short) 3));
        t("invoke box", () -> (Object) st.invoke("a", (Integer) 3));
        t("invoke bad", () -> st.invoke("a", "b"));
        t("invoke count", () -> st.invoke("a"));
        t("args", () -> st.invokeWithArguments("q", 4));
        t("args list", () -> st.invokeWithArguments(List.of("q", (byte) 4)));
        t("args bad", () -> st.invokeWithArguments("q", 4L));
        t("unbox null", () -> st.invoke("a", (Integer) null));
        t("virtual", () -> (int) pr.invokeExact(h, 3));
        t("null receiver", () -> (int) pr.invokeExact((Handles) null, 3));
        t("bind", () -> (int) pr.bindTo(h).invokeExact(4));
        t("bind null", () -> pr.bindTo(null));
        t("bind bad", () -> pr.bindTo("s"));
        t("ctor", () -> ((Handles) ctor.invokeExact(9)).f);
        t("getter", () -> (int) g.invokeExact(h));
        t("setter", () -> { s.invokeExact(h, 77); return h.f; });
        t("static", () -> { ss.invokeExact(1L << 40); return (long) sg.invokeExact(); });
        t("setter widen", () -> { ss.invoke(5); return sf; });
        t("set final", () -> l.findSetter(Handles.class, "fin", String.class));
        t("get final", () -> (String) l.findGetter(Handles.class, "fin", String.class).invokeExact(h));
        t("special", () -> (String) Derived.sup().invokeExact(new Derived()));
        t("virt derived", () -> (String) l.findVirtual(Base.class, "who",
            MethodType.methodType(String.class)).invokeExact((Base) new Derived()));
        t("iface", () -> (int) l.findVirtual(I.class, "abs",
            MethodType.methodType(int.class, int.class)).invokeExact((I) x -> -x, 4));
        t("iface def", () -> (String) l.findVirtual(I.class, "d",
            MethodType.methodType(String.class)).invokeExact((I) x -> x));
        t("iface static", () -> (String) l.findStatic(I.class, "s", MethodType.methodType(String.class)).invokeExact());
        t("array clone", () -> ((int[]) l.findVirtual(int[].class, "clone",
            MethodType.methodType(Object.class)).invoke(new int[] {1, 2})).length);
        t("length", () -> (int) l.findVirtual(String.class, "length",
            MethodType.methodType(int.class)).invokeExact("four"));
        t("no method", () -> l.findStatic(Handles.class, "none", si));
        t("no field", () -> l.findGetter(Handles.class, "zz", int.class));
        t("not static", () -> l.findStatic(Handles.class, "priv", MethodType.methodType(int.class, int.class)));
        t("is static", () -> l.findVirtual(Handles.class, "stat", si));
        t("public lookup", () -> MethodHandles.publicLookup().findVirtual(Handles.class, "priv",
            MethodType.methodType(int.class, int.class)));
        t("public ok", () -> (String) MethodHandles.publicLookup().findVirtual(String.class, "concat",
            MethodType.methodType(String.class, String.class)).invokeExact("a", "b"));
        t("string value", () -> l.findGetter(String.class, "value", byte[].class));
        t("private in", () -> MethodHandles.privateLookupIn(String.class, l));
        System.out.println(vr.isVarargsCollector() + " " + vr.type());
        t("var0", () -> (String) vr.invoke("v"));
        t("var3", () -> (String) vr.invoke("v", 1, 2L, 'c'));
        t("var arr", () -> (String) vr.invoke("v", new Object[] {1}));
        t("var exact", () -> (String) vr.invokeExact("v", new Object[] {2}));
        t("var null", () -> (String) vr.invoke("v", (Object) null));
        t("fixed", () -> vr.asFixedArity().invoke("v", 1));
        t("var args", () -> vr.invokeWithArguments("v", 5, 6));
        t("collector", () -> (String) vr.asFixedArity().asCollector(Object[].class, 2).invoke("c", 8, 9));
        t("spreader", () -> (String) st.asSpreader(Object[].class, 2).invoke(new Object[] {"sp", 3}));
        t("spread count", () -> st.asSpreader(Object[].class, 2).invoke(new Object[] {"sp"}));
        t("spread null", () -> st.asSpreader(Object[].class, 2).invoke((Object[]) null));
        t("int spread", () -> (int) l.findStatic(Math.class, "max",
            MethodType.methodType(int.class, int.class, int.class)).asSpreader(int[].class,
            2).invokeExact(new int[] {4, 8}));
        t("asVarargs", () -> (int) l.findStatic(Handles.class, "cnt",
            MethodType.methodType(int.class, int[].class)).asVarargsCollector(int[].class).invoke(1, 2, 3));
        MethodHandle mx = l.findStatic(Handles.class, "mixed",
            MethodType.methodType(double.class, byte.class, short.class, char.class, int.class, long.class, float.class,
            double.class, boolean.class));
        t("mixed", () -> (double) mx.invokeExact((byte) 1, (short) 2, 'c', 4, 5L, 6f, 7d, true));
        t("mixed widen", () -> (Object) mx.invoke((byte) 1, (byte) 2, 'c', 'd', 5, 6L, 7f, (Boolean) true));
        t("mixed args", () -> mx.invokeWithArguments((byte) 1, (short) 2, 'c', 4, 5L, 6f, 7d, true));
        t("asType", () -> (int) l.findStatic(Math.class, "abs",
            MethodType.methodType(int.class, int.class)).asType(MethodType.methodType(int.class,
            Object.class)).invokeExact((Object) (-5)));
        t("asType void", () -> { st.asType(MethodType.methodType(void.class, String.class, int.class)).invokeExact("a",
            1); return "void"; });
        t("asType from void", () -> (Object) l.findStatic(Handles.class, "nothing",
            MethodType.methodType(void.class)).asType(MethodType.methodType(Object.class)).invokeExact());
        t("asType int from void", () -> (int) l.findStatic(Handles.class, "nothing",
            MethodType.methodType(void.class)).asType(MethodType.methodType(int.class)).invokeExact());
        t("asType bad", () -> st.asType(MethodType.methodType(int.class, String.class, boolean.class)));
        t("explicit", () -> (byte) MethodHandles.explicitCastArguments(l.findStatic(Math.class, "abs",
            MethodType.methodType(int.class, int.class)),
            MethodType.methodType(byte.class, double.class)).invokeExact(-300.7));
        t("explicit bool", () -> (boolean) MethodHandles.explicitCastArguments(MethodHandles.identity(int.class),
            MethodType.methodType(boolean.class, int.class)).invokeExact(3));
        t("thrown", () -> l.findStatic(Handles.class, "thrower",
            MethodType.methodType(int.class, int.class)).invoke(4));
        t("cce", () -> (int) l.findVirtual(String.class, "length",
            MethodType.methodType(int.class)).asType(MethodType.methodType(int.class,
            Object.class)).invokeExact((Object) 5));
        System.out.println(MethodType.fromMethodDescriptorString("(IJ[Ljava/lang/String;)V", null) + " "
            + si.toMethodDescriptorString() + " " +
            si.wrap().generic().appendParameterTypes(int.class).dropParameterTypes(0, 1).insertParameterTypes(0,
            long.class).changeReturnType(void.class) + " " + si.erase().parameterList() + " " + si.hasPrimitives()
            + si.equals(MethodType.methodType(String.class, new Class<?>[] {String.class, int.class})) + " "
            + MethodType.genericMethodType(2, true));
        System.out.println(st + " " + pr + " " + l + " " + MethodHandles.publicLookup() + " " + l.lookupModes() + " "
            + l.in(String.class));
        System.out.println(l.revealDirect(pr) + " "
            + MethodHandleInfo.referenceKindToString(l.revealDirect(ctor).getReferenceKind()) + " "
            + l.revealDirect(g).getName() + " " + l.unreflect(Handles.class.getDeclaredMethod("stat", String.class,
            int.class)).invoke("u", 1) + " " + l.unreflectGetter(Handles.class.getDeclaredField("f")).invoke(h) + " "
            + ((Handles) l.unreflectConstructor(Handles.class.getDeclaredConstructor(int.class)).invoke(3)).f);
        int acc = 0;
        for (int i = 0; i < 3000; i++) { acc += (int) pr.invokeExact(h, i); acc ^= (int) g.invokeExact(h); }
        System.out.println(acc);
    }
    static int cnt(int... x) { return x.length; }
}
