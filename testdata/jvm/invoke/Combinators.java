// MethodHandles combinators: guards, filters, folds, loops, tryFinally, catchException, permute, drop, tables, arrays, constants.
import java.lang.invoke.*;
import java.util.*;

public class Combinators {
    static final MethodHandles.Lookup L = MethodHandles.lookup();
    static MethodHandle st(String n, Class<?> r, Class<?>... p) throws Exception {
        return L.findStatic(Combinators.class, n, MethodType.methodType(r, p));
    }
    static boolean pos(int i) { return i > 0; }
    static String yes(int i) { return "yes" + i; }
    static String no(int i) { return "no" + i; }
    static int add(int a, int b) { return a + b; }
    static int twice(int a) { return a * 2; }
    static String cat(String a, String b, int c) { return a + b + c; }
    static int len(String s) { return s.length(); }
    static int boom(int i) { if (i > 2) throw new IllegalStateException("i" + i); return i; }
    static int handle(IllegalStateException e, int i) { return -i - e.getMessage().length(); }
    static int clean(Throwable t, int r, int i) {
        System.out.print("[clean " + t + "," + r + "," + i + "]");
        return r + 1000;
    }
    static int step(int acc, int i) { return acc * 2 + i; }
    static boolean less(int acc, int limit) { return acc < limit; }
    static String app(String acc, Object e) { return acc + "<" + e + ">"; }
    static void side(int i) { System.out.print("(side " + i + ")"); }
    static int sum3(int a, int b, int c) { return a * 100 + b * 10 + c; }
    static String dflt(int i) { return "default" + i; }
    static long wide(long a, double b) { return (long) (a * b); }
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
        MethodHandle pos = st("pos", boolean.class, int.class), yes = st("yes", String.class, int.class),
            no = st("no", String.class, int.class), add = st("add", int.class, int.class, int.class),
            twice = st("twice", int.class, int.class),
            cat = st("cat", String.class, String.class, String.class, int.class),
            len = st("len", int.class, String.class), boom = st("boom", int.class, int.class),
            sum3 = st("sum3", int.class, int.class, int.class, int.class),
            step = st("step", int.class, int.class, int.class);
        MethodHandle g = MethodHandles.guardWithTest(pos, yes, no);
        t("guard", () -> (String) g.invokeExact(3) + (String) g.invokeExact(-3));
        t("filterArgs", () -> (int) MethodHandles.filterArguments(add, 0, twice, len).invokeExact(4, "abc"));
        t("filterRet", () -> (int) MethodHandles.filterReturnValue(add, twice).invokeExact(4, 5));
        t("fold", () -> (int) MethodHandles.foldArguments(MethodHandles.dropArguments(sum3, 3, int.class),
            add.asType(add.type())).invokeExact(2, 3, 4));
        t("fold void", () -> (int) MethodHandles.foldArguments(twice,
            st("side", void.class, int.class)).invokeExact(8));
        t("collect", () -> (int) MethodHandles.collectArguments(sum3, 1, add).invokeExact(1, 2, 3, 4));
        t("permute", () -> (int) MethodHandles.permuteArguments(sum3,
            MethodType.methodType(int.class, int.class, int.class), 1, 0, 1).invokeExact(3, 7));
        t("insert", () -> (int) MethodHandles.insertArguments(sum3, 1, 5, 6).invokeExact(4));
        t("drop", () -> (int) MethodHandles.dropArguments(twice, 1, String.class, double.class).invokeExact(4, "x",
            1.0));
        t("dropReturn", () -> { MethodHandles.dropReturn(twice).invokeExact(3); return "void"; });
        t("dropToMatch", () -> MethodHandles.dropArgumentsToMatch(twice, 0, List.of(int.class, String.class),
            0).type());
        t("catch", () -> { MethodHandle c = MethodHandles.catchException(boom, IllegalStateException.class,
            st("handle", int.class, IllegalStateException.class, int.class));
            return (int) c.invokeExact(2) + " " + (int) c.invokeExact(7); });
        MethodHandle tf = MethodHandles.tryFinally(boom, st("clean", int.class, Throwable.class, int.class, int.class));
        t("tryFinally", () -> (int) tf.invokeExact(1));
        t("tryFinally!", () -> (int) tf.invokeExact(9));
        t("throw", () -> (int) MethodHandles.throwException(int.class,
            IllegalArgumentException.class).invokeExact(new IllegalArgumentException("x")));
        t("const", () -> (String) MethodHandles.constant(String.class, "k").invokeExact()
            + (int) MethodHandles.constant(int.class, 4).invokeExact() + MethodHandles.zero(double.class).invoke()
            + MethodHandles.empty(MethodType.methodType(String.class, int.class)).invoke(3));
        t("identity", () -> (long) MethodHandles.identity(long.class).invokeExact(5L));
        t("counted", () -> (int) MethodHandles.countedLoop(MethodHandles.constant(int.class, 5),
            MethodHandles.constant(int.class, 1), step).invokeExact());
        t("counted2", () -> (int) MethodHandles.countedLoop(MethodHandles.constant(int.class, 3),
            MethodHandles.constant(int.class, 6), null, step.asType(step.type())).invokeExact());
        t("while",
            ()
            -> (int) MethodHandles.whileLoop(MethodHandles.identity(int.class).asType(MethodType.methodType(int.class,
            int.class)), st("less", boolean.class, int.class, int.class),
            MethodHandles.dropArguments(twice, 1, int.class)).invokeExact(100));
        t("while2", () -> (int) MethodHandles.whileLoop(MethodHandles.dropArguments(MethodHandles.constant(int.class,
            3), 0, int.class), st("less", boolean.class, int.class, int.class),
            MethodHandles.dropArguments(twice, 1, int.class)).invokeExact(100));
        t("doWhile", () -> (int) MethodHandles.doWhileLoop(MethodHandles.dropArguments(MethodHandles.constant(int.class,
            500), 0, int.class), MethodHandles.dropArguments(twice, 1, int.class),
            st("less", boolean.class, int.class, int.class)).invokeExact(100));
        t("iterated", () -> (String) MethodHandles.iteratedLoop(null, MethodHandles.constant(String.class, ""),
            st("app", String.class, String.class, Object.class)).invoke(List.of(1, "b", 2.5)));
        t("loop", () -> { MethodHandle[] i = {MethodHandles.constant(int.class, 0),
            MethodHandles.insertArguments(add, 0, 1)};
            MethodHandle[] acc = {MethodHandles.constant(int.class, 1),
            MethodHandles.permuteArguments(step, MethodType.methodType(int.class, int.class, int.class), 1, 0),
            MethodHandles.dropArguments(MethodHandles.insertArguments(st("less", boolean.class, int.class, int.class),
            1, 200), 0, int.class), MethodHandles.dropArguments(MethodHandles.identity(int.class), 0, int.class)};
            return MethodHandles.loop(i, acc).invoke(); });
        t("table", () -> { MethodHandle sw = MethodHandles.tableSwitch(st("dflt", String.class, int.class), yes, no);
            return (String) sw.invokeExact(0) + (String) sw.invokeExact(1) + (String) sw.invokeExact(2)
            + (String) sw.invokeExact(-1); });
        t("array", () -> { int[] a = (int[]) MethodHandles.arrayConstructor(int[].class).invokeExact(3);
            MethodHandles.arrayElementSetter(int[].class).invokeExact(a, 1, 42);
            return (int) MethodHandles.arrayElementGetter(int[].class).invokeExact(a, 1)
            + (int) MethodHandles.arrayLength(int[].class).invokeExact(a); });
        t("array oob", () -> MethodHandles.arrayElementGetter(long[].class).invoke(new long[1], 1));
        t("array store", () -> { MethodHandles.arrayElementSetter(Object[].class).invoke(new String[1], 0, 5); return 0;
            });
        t("spread inv", () -> MethodHandles.spreadInvoker(cat.type(), 1).invoke(cat, "a", new Object[] {"b", 3}));
        t("exact inv", () -> (String) MethodHandles.exactInvoker(yes.type()).invokeExact(yes, 6));
        t("invoker", () -> MethodHandles.invoker(MethodType.methodType(Object.class, Object.class)).invoke(yes, 6));
        t("wide", () -> (long) MethodHandles.filterReturnValue(st("wide", long.class, long.class, double.class),
            L.findStatic(Math.class, "negateExact",
            MethodType.methodType(long.class, long.class))).invokeExact(1L << 33, 1.5));
        MutableCallSite cs = new MutableCallSite(yes);
        MethodHandle dyn = cs.dynamicInvoker();
        t("mutable", () -> (String) dyn.invokeExact(1));
        cs.setTarget(no);
        t("mutable2", () -> (String) dyn.invokeExact(1));
        t("mutable bad", () -> { cs.setTarget(add); return 0; });
        VolatileCallSite vc = new VolatileCallSite(no);
        t("volatile", () -> (String) vc.dynamicInvoker().invokeExact(2));
        SwitchPoint sp = new SwitchPoint();
        MethodHandle sw = sp.guardWithTest(yes, no);
        t("sp", () -> (String) sw.invokeExact(1));
        SwitchPoint.invalidateAll(new SwitchPoint[] {sp});
        t("sp2", () -> (String) sw.invokeExact(1) + sp.hasBeenInvalidated());
        t("guard bad", () -> MethodHandles.guardWithTest(pos, yes, twice));
        t("filter bad", () -> MethodHandles.filterReturnValue(add, len));
        t("permute bad", () -> MethodHandles.permuteArguments(add, MethodType.methodType(int.class, int.class), 0, 1));
        t("insert bad", () -> MethodHandles.insertArguments(add, 0, "s"));
        int acc = 0;
        for (int i = -500; i < 500; i++) acc += ((String) g.invokeExact(i)).hashCode();
        System.out.println(acc);
    }
}
