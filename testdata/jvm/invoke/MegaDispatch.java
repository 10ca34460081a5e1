// Call sites that go from one receiver class to many, on virtual, interface, lambda and reflective routes, with changing types.
import java.util.*;
import java.util.function.*;

public class MegaDispatch {
    static abstract class S { abstract int v(int x); int w(int x) { return v(x) + 1; } }
    interface I { int i(int x); default int j(int x) { return i(x) * 2; } }
    static class A extends S implements I { int v(int x) { return x + 1; } public int i(int x) { return x - 1; } }
    static class B extends S implements I {
        int v(int x) { return x * 3; }
        public int i(int x) { return x ^ 5; }
        @Override int w(int x) { return super.w(x) - 7; }
    }
    static class C extends A { int v(int x) { return super.v(x) - 9; } @Override public int j(int x) { return -i(x); } }
    static final class D extends B { public int i(int x) { return super.i(x) + 4; } }
    static class E extends C { int v(int x) { return x >> 1; } }
    static class F extends S implements I { int n; int v(int x) { return n += x; } public int i(int x) { return n++; } }
    record R(int k) implements I { public int i(int x) { return x % k; } }
    enum En implements I { P { public int i(int x) { return x & 3; } }, Q { public int i(int x) { return x | 8; } } }
    static int vs(S s, int x) { return s.v(x) + s.w(x); }
    static int is(I i, int x) { return i.i(x) + i.j(x); }
    static int os(Object o) { return o.toString().length() + (o.equals(o) ? 1 : 0); }
    static int cs(CharSequence c) {
        int t = c.length();
        for (int i = 0; i < c.length(); i++) t += c.charAt(i);
        return t;
    }
    static int its(Iterable<Integer> it) { int t = 0; for (int i : it) t = t * 31 + i; return t; }
    static int casts(Object o) {
        return o instanceof A a ? a.v(1) : o instanceof I i ? i.i(2) : o instanceof CharSequence c ? c.length()
            : o instanceof int[] q ? q.length : -1;
    }
    public static void main(String[] args) {
        S[] ss = {new A(), new B(), new C(), new D(), new E(), new F()};
        I[] is = {new A(), new B(), new C(), new D(), new E(), new F(), new R(7), En.P, En.Q, x -> x * 5, x -> x / 3};
        long t = 0;
        for (int stage = 1; stage <= ss.length; stage++)
            for (int k = 0; k < 400; k++) t = t * 17 + vs(ss[k % stage], k);
        System.out.println(t);
        t = 0;
        for (int stage = 1; stage <= is.length; stage++)
            for (int k = 0; k < 400; k++) t = t * 17 + is(is[k % stage], k);
        System.out.println(t);
        t = 0;
        Object[] os = {"s", 1, 2.5, 'c', List.of(1), new StringBuilder("sb"), En.P, new R(3), Optional.of(1),
            Map.of(1, 2), true, 5L};
        for (int k = 0; k < 600; k++) t += os(os[k % os.length]);
        System.out.println(t);
        t = 0;
        CharSequence[] cs = {"latin", "uni漢", new StringBuilder("builder"), new StringBuffer("buffer"),
            java.nio.CharBuffer.wrap("charbuf")};
        for (int k = 0; k < 500; k++) t += cs(cs[k % cs.length]);
        System.out.println(t);
        t = 0;
        List<Iterable<Integer>> its = List.of(new ArrayList<>(List.of(1, 2)), new LinkedList<>(List.of(3, 4)),
            List.of(5, 6), Set.of(7), new TreeSet<>(List.of(9, 8)), new ArrayDeque<>(List.of(1)), Arrays.asList(4, 4),
            Collections.singleton(6), Collections.nCopies(3, 2), () -> List.of(9, 9).iterator(),
            new PriorityQueue<>(List.of(3)), List.of(1, 2, 3).subList(1, 3), Collections.unmodifiableList(List.of(8)));
        for (int k = 0; k < 520; k++) t = t * 7 + its(its.get(k % its.size()));
        System.out.println(t);
        t = 0;
        Object[] mix = {new A(), new B(), new E(), new R(5), "str", new int[3], null, new Object(), En.Q,
            new StringBuilder()};
        for (int k = 0; k < 1000; k++) t = t * 3 + casts(mix[(k * 7) % mix.length]);
        System.out.println(t);
        BiFunction<Integer, Integer, Integer>[] fns = new BiFunction[8];
        for (int k = 0; k < fns.length; k++) {
            int kk = k;
            fns[k] = k % 2 == 0 ? (a, b) -> a + b * kk : (a, b) -> a - b + kk;
        }
        int acc = 0;
        for (int k = 0; k < 4000; k++) acc = fns[k & 7].apply(acc, k);
        System.out.println(acc);
        Comparator<Object>[] cmps = new Comparator[] {Comparator.comparing(Object::toString),
            Comparator.comparing(Object::hashCode), Collections.reverseOrder(Comparator.comparing(Object::toString))};
        StringBuilder sb = new StringBuilder();
        for (Comparator<Object> c : cmps) {
            List<Object> l = new ArrayList<>(List.of(10, 9, "b", "a", 3L));
            l.sort(c);
            sb.append(l);
        }
        System.out.println(sb);
    }
}
