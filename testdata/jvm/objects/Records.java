// Records: canonical and compact constructors, accessors, equals/hashCode/toString over every component kind, nesting.
import java.util.*;

public class Records {
    record Empty() { }
    record All(boolean z, byte b, char c, short s, int i, long l, float f, double d, String str, int[] arr, Object o) {
        }
    record Range(int lo, int hi) implements Comparable<Range> {
        static int made;
        Range { if (lo > hi) throw new IllegalArgumentException(lo + ">" + hi); made++; lo = Math.max(lo, 0); }
        Range(int only) { this(only, only); }
        int size() { return hi - lo; }
        static Range parse(String s) {
            String[] p = s.split("\\.\\.");
            return new Range(Integer.parseInt(p[0]), Integer.parseInt(p[1]));
        }
        public int compareTo(Range o) {
            return Comparator.comparingInt(Range::lo).thenComparingInt(Range::hi).compare(this, o);
        }
    }
    record Pair<A, B>(A first, B second) { <C> Pair<A, C> with(C c) { return new Pair<>(first, c); } }
    record Custom(String name) {
        public String name() { return name.toUpperCase(); }
        @Override public boolean equals(Object o) { return o instanceof Custom c && c.name.equalsIgnoreCase(name); }
        @Override public int hashCode() { return name.toLowerCase().hashCode(); }
    }
    record Floats(float f, double d) { }
    record Tree(Tree l, int v, Tree r) {
        int sum() { return v + (l == null ? 0 : l.sum()) + (r == null ? 0 : r.sum()); }
    }
    record Var(int... xs) { int n() { return xs.length; } }

    public static void main(String[] args) {
        System.out.println(new Empty() + " " + new Empty().equals(new Empty()) + " " + new Empty().hashCode());
        int[] arr = {1};
        All a = new All(true, (byte) 1, 'c', (short) 2, 3, 4L, 5f, 6d, "s", arr, null),
            b = new All(true, (byte) 1, 'c', (short) 2, 3, 4L, 5f, 6d, "s", arr, null);
        System.out.println(a.equals(b) + " " + (a.hashCode() == b.hashCode()) + " "
            + a.toString().replaceAll("\\[I@[0-9a-f]+", "ARR"));
        System.out.println(a.equals(new All(true, (byte) 1, 'c', (short) 2, 3, 4L, 5f, 6d, "s", arr.clone(), null))
            + " " + a.z() + a.b() + a.c() + a.s() + a.i() + a.l() + a.f() + a.d() + a.str() + a.arr().length + a.o());
        System.out.println(new Range(5) + " " + new Range(-3, 2).size() + " " + Range.parse("1..4") + " " + Range.made
            + " " + new Range(1, 2).hashCode());
        try { new Range(2, 1); } catch (IllegalArgumentException e) { System.out.println(e.getMessage()); }
        TreeSet<Range> ts = new TreeSet<>(List.of(new Range(3, 4), new Range(1, 9), new Range(1, 2)));
        System.out.println(ts + " " + ts.first().compareTo(ts.last()));
        Pair<String, Integer> p = new Pair<>("x", 1);
        System.out.println(p + " " + p.with(2.5) + " " + p.equals(new Pair<>("x", 1)) + " " + p.equals(null) + " "
            + p.equals("x") + " " + p.hashCode() + " " + new Pair<>(null, null));
        System.out.println(new Custom("Ab").equals(new Custom("aB")) + " " + new Custom("Ab").name() + " "
            + new Custom("Ab") + " " + new Custom("Ab").hashCode());
        System.out.println(new Floats(0f, 0.0).equals(new Floats(-0f, 0.0)) + " "
            + new Floats(Float.NaN, Double.NaN).equals(new Floats(Float.NaN, Double.NaN)) + " "
            + new Floats(1, 2).hashCode() + " " + new Floats(1, 2));
        Tree t = new Tree(new Tree(null, 1, null), 2, new Tree(null, 3, new Tree(null, 4, null)));
        System.out.println(t.sum() + " " + t + " " + t.hashCode() + " " + t.equals(new Tree(t.l(), 2, t.r())));
        System.out.println(new Var(1, 2).n() + " " + new Var().n());
        Map<Pair<Integer, Integer>, String> m = new HashMap<>();
        for (int i = 0; i < 50; i++) for (int j = 0; j < 10; j++) m.put(new Pair<>(i, j), "v" + i * j);
        System.out.println(m.size() + " " + m.get(new Pair<>(7, 8)) + " " + m.containsKey(new Pair<>(50, 0)));
        record Local(int x) { static int y = 9; int z() { return x + y; } }
        System.out.println(new Local(1).z() + " " + new Local(4) + " " + (Object) new Local(2).getClass().isRecord()
            + " " + Record.class.isInstance(p));
    }
}
