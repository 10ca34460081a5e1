// Method references: static, bound, unbound, constructors, arrays, super, private, interface, varargs, boxing, intersection.
import java.util.*;
import java.util.function.*;
import java.util.stream.*;

public class MethodRefs {
    final String n;
    MethodRefs(String n) { this.n = n; }
    MethodRefs() { this("none"); }
    private MethodRefs(int a, long b) { this(a + ":" + b); }
    private String priv(int x) { return n + x; }
    static String st(Object o) { return "st" + o; }
    static int var(Object... o) { return o.length; }
    static long widen(long l) { return l * 2; }
    static Integer boxed(int i) { return i + 1; }
    protected String prot() { return "prot" + n; } @Override public String toString() { return "MR" + n; }
    interface WithPriv {
        private String hid(String s) { return "hid" + s; }
        default Function<String, String> ref() { return this::hid; }
        static String sm(WithPriv w, String s) { return s + w.def(); }
        default String def() { return "def"; }
    }
    static class Sub extends MethodRefs implements WithPriv {
        Sub() { super("sub"); }
        @Override protected String prot() { return "over"; }
        @Override public String def() { return "subdef"; }
        Supplier<String> sup() { return super::prot; }
        Supplier<String> supDef() { return WithPriv.super::def; }
        Supplier<String> mine() { return this::prot; }
    }
    static class Gen<T> {
        T t;
        Gen(T t) { this.t = t; }
        <U> Gen<U> map(Function<? super T, ? extends U> f) { return new Gen<>(f.apply(t)); }
        static <A> List<A> two(A a, A b) { return List.of(a, b); }
    }
    class Inner { final int v; Inner(int v) { this.v = v + n.length(); } }
    static int calls; static MethodRefs mk() { calls++; return new MethodRefs("mk"); }
    static <T extends Comparable<T> & java.io.Serializable> Supplier<Integer> inter(T a, T b) {
        Function<T, Integer> f = a::compareTo;
        return () -> f.apply(b);
    }
    interface TriF { String ap(MethodRefs m, int a, String b); } String two(int a, String b) { return n + a + b; }
    interface Throwing { Object get() throws Exception; }
    public static void main(String[] args) throws Exception {
        Function<Object, String> f1 = MethodRefs::st;
        MethodRefs m = new MethodRefs("b");
        IntFunction<String> f2 = m::priv;
        BiFunction<MethodRefs, Integer, String> f3 = MethodRefs::priv;
        Supplier<MethodRefs> f4 = MethodRefs::new;
        Function<String, MethodRefs> f5 = MethodRefs::new;
        BiFunction<Integer, Long, MethodRefs> f6 = MethodRefs::new;
        System.out.println(f1.apply(1) + f2.apply(2) + f3.apply(m, 3) + f4.get() + f5.apply("five") + f6.apply(6, 7L));
        IntFunction<int[]> a1 = int[]::new;
        Function<Integer, String[][]> a2 = String[][]::new;
        UnaryOperator<int[]> a3 = int[]::clone;
        System.out.println(a1.apply(3).length + a2.apply(2).length + a3.apply(new int[] {9})[0]
            + a2.apply(1).getClass().getName());
        Sub s = new Sub();
        System.out.println(s.sup().get() + s.supDef().get() + s.mine().get() + s.ref().apply("!")
            + ((BiFunction<WithPriv, String, String>) WithPriv::sm).apply(s, "sm"));
        BiFunction<Object, Object, Integer> v2 = MethodRefs::var;
        Supplier<Integer> v0 = MethodRefs::var;
        Function<Object[], Integer> va = MethodRefs::var;
        System.out.println(v2.apply(1, 2) + v0.get() + va.apply(new Object[5]));
        IntToLongFunction w = MethodRefs::widen;
        Function<Integer, Long> w2 = x -> widen(x);
        ToLongFunction<Integer> w3 = MethodRefs::widen;
        IntUnaryOperator bx = MethodRefs::boxed;
        Function<Integer, Object> bo = MethodRefs::boxed;
        IntFunction<Number> nu = MethodRefs::boxed;
        ToDoubleFunction<Integer> td = MethodRefs::boxed;
        System.out.println(w.applyAsLong(4) + " " + w2.apply(5) + " " + w3.applyAsLong(6) + " " + bx.applyAsInt(7)
            + bo.apply(8) + nu.apply(9) + " " + td.applyAsDouble(1));
        Runnable dropped = MethodRefs::mk;
        dropped.run();
        Consumer<List<String>> dropRet = List::size;
        dropRet.accept(List.of());
        Supplier<String> once = mk()::toString;
        once.get();
        once.get();
        System.out.println(calls);
        System.out.println(new Gen<>("abc").map(String::length).map(Integer::doubleValue).t + " "
            + ((BiFunction<Integer, Integer, List<Integer>>) Gen::two).apply(1, 2) + " "
            + ((Function<String, Gen<String>>) Gen::new).apply("g").t + " "
            + ((Function<Integer, Gen<Integer>>) Gen<Integer>::new).apply(3).t);
        IntFunction<Inner> in = m.inner(); System.out.println(in.apply(4).v + " " + inter("a", "b").get());
        TriF tri = MethodRefs::two; System.out.println(tri.ap(m, 1, "z"));
        try {
            MethodRefs nul = null;
            Supplier<String> bad = nul::toString;
            System.out.println("no" + bad);
        } catch (NullPointerException e) {
            System.out.println("npe at creation");
        }
        try {
            Function<String, Integer> un = String::length;
            un.apply(null);
        } catch (NullPointerException e) {
            System.out.println("npe at call");
        }
        try {
            ((Function) (Function<String, Integer>) String::length).apply(5);
        } catch (ClassCastException e) {
            System.out.println("cce " + e.getMessage().startsWith("class java.lang.Integer cannot be cast"));
        }
        Throwing th = Object.class.getDeclaredConstructor()::newInstance;
        System.out.println(th.get() != null);
        Throwing cn = () -> Class.forName("No");
        try { cn.get(); } catch (ClassNotFoundException e) { System.out.println(e.getMessage()); }
        System.out.println(Stream.of("c", "a",
            "b").sorted(String::compareTo).map(String::toUpperCase).collect(Collectors.toCollection(ArrayDeque::new))
            + " " + Stream.of(1, 2, 3).map(String::valueOf).collect(Collectors.joining()) + " "
            + Stream.of("1", "2").mapToInt(Integer::parseInt).sum() + " "
            + IntStream.range(0, 3).mapToObj(Integer::toString).toList() + " "
            + Stream.of(3, 1).min(Integer::compare).get() + " "
            + Arrays.asList("x", "Y").stream().sorted(String.CASE_INSENSITIVE_ORDER::compare).toList() + " "
            + Stream.of(new int[] {1, 2}, new int[] {3}).flatMapToInt(Arrays::stream).sum() + " "
            + Stream.of("a", "b").toArray(String[]::new).length);
        PrintStreamRef.run(System.out::println);
        Comparator<Map.Entry<String, Integer>> ce = Map.Entry.comparingByValue();
        System.out.println(ce.compare(Map.entry("a", 1), Map.entry("b", 2)));
        Callable1<Thread> ct = Thread::currentThread;
        System.out.println(ct.call().getName());
        Function<Object, Integer> hc = Object::hashCode;
        System.out.println(hc.apply("ab"));
        ToIntFunction<CharSequence> cl = CharSequence::length;
        System.out.println(cl.applyAsInt(new StringBuilder("xyz")));
        Supplier<char[]> tc = "hi"::toCharArray;
        System.out.println(tc.get().length);
        Function<Class<?>, String> gn = Class::getSimpleName;
        System.out.println(gn.apply(int[].class));
        BooleanSupplier tr = Boolean.TRUE::booleanValue;
        System.out.println(tr.getAsBoolean());
        ToIntFunction<int[]> len = x -> x.length;
        System.out.println(len.applyAsInt(new int[2]));
        Function<Object, Class<?>> gc = Object::getClass;
        System.out.println(gc.apply("") + " " + gc.apply(new int[0]));
    }
    IntFunction<Inner> inner() { return Inner::new; }
    interface Callable1<V> { V call() throws Exception; }
    static class PrintStreamRef { static void run(Consumer<Object> c) { c.accept("via println"); c.accept(null); } }
}
