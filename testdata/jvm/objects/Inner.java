// Inner, local and anonymous classes: captured variables, this chains, shadowing, nestmate access, construction through outer.
import java.util.*;
import java.util.function.*;

public class Inner {
    private int x = 1;
    private static int sx = 100;
    private int bump() { return x++; }
    class Mid {
        private int x = 2;
        class Deep {
            private int x = 3;
            String all(int x) { return x + "," + this.x + "," + Mid.this.x + "," + Inner.this.x + "," + sx; }
            void change() { Inner.this.x += 10; Mid.this.x *= 2; sx--; Inner.this.bump(); }
        }
    }
    static class Nested {
        private int secret = 42;
        private Nested() { }
        private Nested(int s) { secret = s; }
        private static int count(Nested... n) { return n.length; }
    }
    class Sub extends Mid { Sub() { Inner.this.super(); } int mx() { return ((Mid) this).x; } }
    static class Outside extends Inner.Mid { Outside(Inner i) { i.super(); } Deep deep() { return new Deep(); } }
    Iterator<Integer> upTo(int n) {
        class It implements Iterator<Integer> {
            int i;
            public boolean hasNext() { return i < n; }
            public Integer next() { return i++ * x; }
            It copy() { It c = new It(); c.i = i; return c; }
        }
        It it = new It();
        it.next();
        return it.copy();
    }
    Supplier<String> anon(String a, long b, double c) {
        int local = a.length();
        return new Supplier<>() {
            int calls = local;
            { calls += 5; }
            public String get() {
                calls++;
                return a + b + c + calls + x + new Object() { String in() { return "in" + calls + local; } }.in();
            }
        };
    }
    static abstract class Tmpl { final String s; Tmpl(int a, String b) { s = b + a + make(); } abstract String make(); }
    interface Shape { default String nm() { return getClass().getSimpleName() + "|" + getClass().getName(); } }

    public static void main(String[] args) {
        Inner o = new Inner();
        Inner.Mid m = o.new Mid();
        Inner.Mid.Deep d = m.new Deep();
        System.out.println(d.all(4));
        d.change();
        System.out.println(d.all(4) + " " + m.x + " " + o.x + " " + d.x);
        Nested n = new Nested(), k = new Nested(7);
        n.secret += k.secret++;
        System.out.println(n.secret + " " + k.secret + " " + Nested.count(n, k));
        System.out.println(o.new Sub().mx() + " " + new Outside(o).deep().all(0));
        Iterator<Integer> it = o.upTo(4);
        StringBuilder sb = new StringBuilder();
        while (it.hasNext()) sb.append(it.next()).append(' ');
        System.out.println(sb);
        Supplier<String> s = o.anon("q", 1L << 40, 2.5);
        System.out.println(s.get() + " " + s.get());
        String cap = "cap";
        Tmpl t = new Tmpl(5, "b") { String make() { return "m" + cap; } };
        System.out.println(t.s);
        try {
            new Tmpl(1, "c") { final String late = new String("late"); String make() { return late.trim(); } };
        } catch (NullPointerException e) { System.out.println("field not set yet"); }
        System.out.println(new Shape() { }.nm() + " " + new Inner().new Mid().getClass().getName());
        List<Runnable> rs = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            int j = i;
            rs.add(new Runnable() { int c = j * 10; public void run() { System.out.print(j + ":" + c++ + " "); } });
        }
        for (Runnable r : rs) { r.run(); r.run(); }
        System.out.println();
        try { Inner none = null; none.new Mid(); } catch (NullPointerException e) { System.out.println("npe outer"); }
        Object lock = new Object() { int hidden = 3; { System.out.println("init " + hidden); } };
        var v = new Object() { int a = 1; String b = "b"; int sum() { return a + b.length(); } };
        v.a += 5;
        System.out.println(v.sum() + " " + v.a + (lock != null));
        Map<String, Integer> brace = new LinkedHashMap<>() {{ put("one", 1); put("two", 2); }};
        System.out.println(brace + " " + brace.getClass().getSuperclass().getSimpleName());
        enum LocalE { P, Q } interface LocalI { int f(int i); }
        LocalI li = i -> i + LocalE.Q.ordinal();
        System.out.println(li.f(5) + " " + LocalE.class.getSimpleName() + " " + LocalE.class.isLocalClass() + " "
            + LocalE.class.getName());
    }
}
