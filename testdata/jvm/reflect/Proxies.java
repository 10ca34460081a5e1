// Dynamic proxies: interfaces, Object's methods, defaults, primitives, exceptions, duplicate methods, names, class identity.
import java.lang.reflect.*;
import java.util.*;
import java.util.function.*;

public class Proxies {
    public interface Calc {
        int add(int a, int b);
        double mix(byte b, char c, long l, float f, boolean z, short s, double d);
        void nothing();
        default String dflt(String s) { return "dflt" + s + add(1, 1); }
        long[] arr(int... n);
        <T extends Comparable<T>> T gen(T t);
        static int st() { return 1; }
    }
    interface Pkg { String hid() throws java.io.IOException; }
    public interface Dup1 { Object same(); void thr() throws Exception; }
    public interface Dup2 { String same(); void thr() throws java.io.IOException; }
    public interface Both { int hashCode(); boolean equals(Object o); String toString(); }
    interface T { Object run() throws Throwable; }
    static void t(String n, T r) {
        try {
            System.out.println(n + " " + r.run());
        } catch (Throwable e) {
            System.out.println(n + " !" + e.getClass().getSimpleName() + ": "
                + String.valueOf(e.getMessage()).replaceAll("@[0-9a-f]+", "#") + " cause " + e.getCause());
        }
    }
    @SuppressWarnings("unchecked") static <X> X mk(InvocationHandler h, Class<?>... is) {
        return (X) Proxy.newProxyInstance(Proxies.class.getClassLoader(), is, h);
    }
    public static void main(String[] args) throws Throwable {
        List<String> log = new ArrayList<>();
        InvocationHandler h = (p, m, a) -> {
            log.add(m.getName() + (a == null ? "null" : Arrays.deepToString(a).replaceAll("@[0-9a-f]+", "#")));
            return switch (m.getName()) {
                case "add" -> (int) a[0] + (int) a[1];
                case "mix" -> 2.5;
                case "arr" -> new long[((int[]) a[0]).length];
                case "gen" -> a[0];
                case "dflt" -> InvocationHandler.invokeDefault(p, m, a);
                case "toString" -> "proxy!";
                case "hashCode" -> 77;
                case "equals" -> p == a[0];
                case "hid" -> "hidden";
                case "same" -> "same";
                default -> null;
            };
        };
        Calc c = mk(h, Calc.class);
        System.out.println(c.add(3, 4) + " " + c.mix((byte) 1, 'c', 3L, 4f, true, (short) 6, 7d) + " " + c.dflt("x")
            + " " + c.arr(1, 2, 3).length + " " + c.gen("g") + " " + c + " " + c.hashCode() + " " + c.equals(c)
            + c.equals(null));
        c.nothing();
        System.out.println(log);
        log.clear();
        System.out.println(Proxy.isProxyClass(c.getClass()) + " " + (Proxy.getInvocationHandler(c) == h) + " "
            + (Proxy.getProxyClass(Proxies.class.getClassLoader(), Calc.class) == c.getClass()) + " "
            + c.getClass().getName().replaceAll("\\d+", "N") + " " + Modifier.toString(c.getClass().getModifiers())
            + " " + c.getClass().getSuperclass() + " " + Arrays.toString(c.getClass().getInterfaces()) + " "
            + c.getClass().getPackageName().replaceAll("\\d+", "N"));
        Pkg p = mk(h, Pkg.class, Calc.class);
        System.out.println(p.hid() + " " + ((Calc) p).add(5, 6) + " " + p.getClass().getName().replaceAll("\\d+", "N")
            + " " + Modifier.isPublic(p.getClass().getModifiers()));
        Object d = mk(h, Dup1.class, Dup2.class, Both.class);
        System.out.println(((Dup1) d).same() + " " + ((Dup2) d).same() + " " + d);
        Calc bad = mk((pr, m, a) -> switch (m.getName()) { case "add" -> null; case "mix" -> 5;
            case "nothing" -> throw new java.io.IOException("checked"); case "arr" -> "notarray";
            case "gen" -> throw new IllegalStateException("unchecked"); case "dflt" -> throw new Error("err");
            default -> null; }, Calc.class);
        t("null prim", () -> bad.add(1, 2));
        t("wrong prim", () -> bad.mix((byte) 1, 'c', 3L, 4f, true, (short) 6, 7d));
        t("undeclared", () -> { bad.nothing(); return 0; });
        t("wrong obj", () -> bad.arr());
        t("unchecked", () -> bad.gen("x"));
        t("error", () -> bad.dflt("x"));
        Pkg io = mk((pr, m, a) -> { throw new java.io.IOException("declared"); }, Pkg.class);
        t("declared", io::hid);
        Object both = mk((pr, m, a) -> { throw m.getDeclaringClass() == Dup1.class ? new java.io.IOException("io1")
            : new Exception("ex2"); }, Dup1.class, Dup2.class);
        t("dup thr", () -> { ((Dup1) both).thr(); return 0; });
        t("dup thr2", () -> { ((Dup2) mk((pr, m, a) -> { throw new Exception("plain"); }, Dup1.class,
            Dup2.class)).thr(); return 0; });
        t("class", () -> mk(h, String.class));
        t("dup iface", () -> mk(h, Calc.class, Calc.class));
        t("null iface", () -> mk(h, (Class<?>) null));
        t("null h", () -> mk(null, Calc.class));
        t("none", () -> mk(h).toString());
        t("not proxy", () -> Proxy.getInvocationHandler("s"));
        t("invisible", () -> Proxy.newProxyInstance(null, new Class<?>[] {Calc.class}, h));
        t("default wrong", () -> InvocationHandler.invokeDefault(c, Calc.class.getMethod("add", int.class, int.class),
            1, 2));
        Function<Object, Object> f = mk((pr, m, a) -> m.isDefault() ? InvocationHandler.invokeDefault(pr, m, a) : "f"
            + a[0], Function.class);
        System.out.println(f.andThen(x -> x + "!").compose(x -> "c" + x).apply("z"));
        Map<String, Integer> target = new TreeMap<>(Map.of("a", 1));
        Map<String, Integer> traced = mk((pr, m, a)
            -> { log.add(m.getName()); try { return m.invoke(target, a); } catch (InvocationTargetException e) {
            throw e.getCause(); } }, Map.class);
        traced.put("b", 2);
        traced.merge("a", 5, Integer::sum);
        System.out.println(traced + " " + traced.size() + " " + log);
        t("through", () -> ((Map<Object, Integer>) (Map<?, ?>) traced).get(5));
        Comparator<String> cmp = mk((pr, m, a) -> m.isDefault() ? InvocationHandler.invokeDefault(pr, m, a)
            : ((String) a[0]).length() - ((String) a[1]).length(), Comparator.class);
        List<String> l = new ArrayList<>(List.of("ccc", "a", "bb"));
        l.sort(cmp.reversed());
        System.out.println(l);
        int acc = 0;
        for (int i = 0; i < 1000; i++) acc += c.add(i, 1);
        System.out.println(acc);
        System.out.println(Arrays.stream(c.getClass().getDeclaredMethods()).filter(m
            -> Modifier.isPublic(m.getModifiers())).map(Method::getName).sorted().toList() + " "
            + c.getClass().getMethod("add", int.class, int.class).getDeclaringClass().getName().replaceAll("\\d+",
            "N"));
    }
}
