// Lambdas of all shapes: captures of every type, nesting, recursion, generic, primitive, varargs, this capture, identity.
import java.util.*;
import java.util.function.*;

public class Lambdas {
    int field = 10;
    interface All { String go(boolean z, byte b, char c, short s, int i, long l, float f, double d, Object o); }
    interface Gen<T, R extends Comparable<R>> { R ap(T t) throws Exception; }
    interface VarFn { int sum(int... xs); }
    interface Mark { } interface Prim { long op(int a, double b); }
    Supplier<Integer> self() { return () -> field++; }
    Supplier<Supplier<Integer>> nested(int k) { return () -> { int j = k * 2; return () -> j + field + k; }; }
    static Function<Integer, Function<Integer, Function<Integer, Integer>>> curry() {
        return a -> b -> c -> a * 100 + b * 10 + c;
    }
    static <T, U, R> Function<T, R> comp(Function<T, U> f, Function<U, R> g) { return x -> g.apply(f.apply(x)); }
    static int fact(int n) {
        IntUnaryOperator[] f = new IntUnaryOperator[1];
        f[0] = x -> x <= 1 ? 1 : x * f[0].applyAsInt(x - 1);
        return f[0].applyAsInt(n);
    }
    static class Rec {
        final Function<Integer, Integer> fib = n -> n < 2 ? n : this.fib.apply(n - 1) + this.fib.apply(n - 2);
    }
    static Runnable counter(int[] c) { return () -> c[0]++; }
    public static void main(String[] args) throws Exception {
        boolean z = true;
        byte b = -1;
        char c = 'q';
        short s = 300;
        int i = 1 << 20;
        long l = 1L << 40;
        float f = 1.5f;
        double d = -2.25;
        String str = "cap";
        int[] arr = {4};
        Supplier<String> caps = () -> "" + z + b + c + s + i + l + f + d + str + arr[0];
        arr[0] = 5; System.out.println(caps.get());
        All all = (z1, b1, c1, s1, i1, l1, f1, d1, o1) -> z1 + "" + b1 + c1 + s1 + i1 + l1 + f1 + d1 + o1 + str;
        System.out.println(all.go(false, (byte) 2, 'c', (short) 3, 4, 5L, 6f, 7d, null));
        Lambdas me = new Lambdas();
        Supplier<Integer> sup = me.self();
        sup.get();
        System.out.println(sup.get() + " " + me.field + " " + me.nested(7).get().get());
        System.out.println(curry().apply(1).apply(2).apply(3) + " " + Lambdas.<String, Integer,
            String>comp(Integer::parseInt, Integer::toBinaryString).apply("10") + " " + fact(10) + " "
            + new Rec().fib.apply(15));
        Gen<String, Integer> g = String::length; System.out.println(g.ap("abcd"));
        VarFn v = xs -> { int t = 0; for (int x : xs) t += x; return t; };
        System.out.println(v.sum() + " " + v.sum(1, 2, 3));
        Prim p = (x, y) -> (long) (x * y); System.out.println(p.op(3, 2.5));
        Runnable r = (Runnable & Mark & java.io.Serializable) () -> System.out.println("marked");
        r.run();
        System.out.println((r instanceof Mark) + " " + (r instanceof java.io.Serializable));
        int[] n = {0}; Runnable cnt = counter(n); for (int k = 0; k < 100; k++) cnt.run(); System.out.println(n[0]);
        Supplier<Runnable> mk = () -> () -> { };
        System.out.println((mk.get() == mk.get()) + " " + (me.self() == me.self()));
        Object o = (Supplier<String>) () -> "x";
        System.out.println(o.getClass().isSynthetic() + " " + o.getClass().isHidden() + " "
            + o.getClass().getSimpleName().startsWith("Lambdas$$Lambda$") + " " + (o.getClass().getInterfaces()[0])
            + " " + o.getClass().getSuperclass() + " "
            + java.lang.reflect.Modifier.toString(o.getClass().getModifiers()) + " " + o.getClass().getNestHost());
        BiFunction<Integer, Integer, Integer> add = Integer::sum;
        System.out.println(add.andThen(x -> x * 2).apply(3, 4) + " "
            + Function.<Integer>identity().compose((String q) -> q.length()).apply("four") + " "
            + ((Predicate<String>) String::isEmpty).negate().or(q -> q == null).and(q -> q.length() > 1).test("ab")
            + " " + UnaryOperator.<String>identity().apply("id") + " "
            + BinaryOperator.<Integer>minBy(Comparator.naturalOrder()).apply(3, 2) + " "
            + ((IntPredicate) q -> q > 2).negate().test(5) + " "
            + ((DoubleUnaryOperator) Math::sqrt).andThen(Math::ceil).applyAsDouble(10) + " "
            + ((LongFunction<String>) Long::toHexString).apply(255) + " "
            + ((ToIntBiFunction<String, String>) String::compareTo).applyAsInt("a", "c") + " "
            + ((ObjIntConsumer<String>) (q, w) -> { }).getClass().isHidden() + " "
            + ((BooleanSupplier) () -> true).getAsBoolean() + ((DoubleSupplier) () -> 2.5).getAsDouble()
            + ((LongSupplier) () -> 5L).getAsLong() + ((IntSupplier) () -> 4).getAsInt());
        Consumer<List<Integer>> addOne = q -> q.add(1);
        List<Integer> li = new ArrayList<>();
        addOne.andThen(q -> q.add(2)).accept(li);
        System.out.println(li);
        try {
            ((Consumer<Object>) q -> { throw new IllegalStateException("from lambda"); }).accept(1);
        } catch (IllegalStateException e) {
            System.out.println(e.getMessage() + " " + e.getStackTrace()[0].getMethodName().startsWith("lambda$main$"));
        }
        try {
            new Thread(null, null, "t") { }.run();
            Callable0 q = () -> { throw new Exception("checked"); };
            q.call();
        } catch (Exception e) {
            System.out.println(e.getMessage());
        }
        long sum = 0;
        for (int k = 0; k < 20000; k++) { int kk = k; IntUnaryOperator op = x -> x ^ kk; sum += op.applyAsInt(k * 3); }
        System.out.println(sum);
        Comparator<String> cmp = Comparator.<String,
            Integer>comparing(String::length).reversed().thenComparing(Comparator.naturalOrder());
        List<String> words = new ArrayList<>(List.of("pear", "fig", "apple", "date", "kiwi"));
        words.sort(cmp);
        System.out.println(words);
        Optional<Function<Integer, Integer>> chain = java.util.stream.IntStream.range(0, 50).<Function<Integer,
            Integer>>mapToObj(k -> x -> x + k).reduce(Function::andThen);
        System.out.println(chain.get().apply(0));
        Supplier<Object> sw = () -> switch (str) {
            case "cap" -> { Supplier<Integer> in = () -> str.length() + arr[0]; yield in.get(); }
            default -> null;
        };
        System.out.println(sw.get());
    }
    interface Callable0 { void call() throws Exception; }
}
