// Virtual dispatch, hiding, super calls, overloading against overriding, package-private, protected, abstract, final.
import java.util.List;

public class Inheritance {
    static class A {
        String name = "A.name";
        static String st() { return "A.st"; }
        String who() { return "A.who"; }
        String call() { return who() + " " + name + " " + st(); }
        String over(Object o) { return "A.obj"; }
        String over(String s) { return "A.str"; }
        private String priv() { return "A.priv"; }
        String callPriv() { return priv(); }
        protected Object cov() { return "A.cov"; }
    }

    static class B extends A {
        String name = "B.name";
        static String st() { return "B.st"; }
        @Override String who() { return "B.who<" + super.who(); }
        @Override String over(Object o) { return "B.obj"; }
        String over(Integer i) { return "B.int"; }
        private String priv() { return "B.priv"; }
        @Override public String cov() { return "B.cov"; }
        String names() { return name + " " + super.name + " " + ((A) this).name; }
    }

    static final class C extends B {
        String name = "C.name";
        @Override String who() { return "C.who<" + super.who(); }
        String up() { return super.callPriv() + super.over("x") + super.cov(); }
    }

    abstract static class Shape {
        abstract double area();
        public String toString() { return getClass().getSimpleName() + String.format("[%.2f]", area()); }
        static Shape of(double... d) {
            return switch (d.length) {
                case 1 -> new Shape() { double area() { return Math.PI * d[0] * d[0]; } };
                case 2 -> new Rect(d[0], d[1]);
                default -> { class Poly extends Shape { double area() { return d.length; } } yield new Poly(); }
            };
        }
    }

    static class Rect extends Shape {
        final double w, h;
        Rect(double w, double h) { this.w = w; this.h = h; }
        double area() { return w * h; }
    }

    static class Counter implements Cloneable {
        int n; int[] arr = {1};
        Counter inc() { n++; arr[0]++; return this; }
        @Override public Counter clone() throws CloneNotSupportedException { return (Counter) super.clone(); }
    }

    static class NotCloneable { Object tryClone() throws CloneNotSupportedException { return clone(); } }

    static class Point {
        final int x, y;
        Point(int x, int y) { this.x = x; this.y = y; }
        @Override public boolean equals(Object o) { return o instanceof Point p && p.x == x && p.y == y; }
        @Override public int hashCode() { return 31 * x + y; }
        @Override public String toString() { return "(" + x + "," + y + ")"; }
    }

    static class ColorPoint extends Point {
        final String c;
        ColorPoint(int x, int y, String c) { super(x, y); this.c = c; }
        @Override public boolean equals(Object o) {
            return o instanceof ColorPoint p && super.equals(p) && c.equals(p.c);
        }
    }

    static abstract class Chain {
        Chain next;
        Chain(Chain n) { next = n; }
        int run(int v) { int r = step(v); return next == null ? r : next.run(r); }
        abstract int step(int v);
    }

    static class Add extends Chain {
        int by;
        Add(int b, Chain n) { super(n); by = b; }
        int step(int v) { return v + by; }
    }
    static class Mul extends Chain {
        int by;
        Mul(int b, Chain n) { super(n); by = b; }
        int step(int v) { return v * by; }
    }

    public static void main(String[] args) throws Exception {
        A a = new A(), b = new B(), c = new C();
        for (A x : List.of(a, b, c)) {
            System.out.println(x.call() + " | " + x.over("s") + " " + x.over((Object) "s") + " " + x.over(5) + " "
                + x.callPriv() + " " + x.cov() + " " + x.name);
        }
        System.out.println(((B) c).names() + " " + ((C) c).name + " " + ((C) c).up() + " " + ((B) c).over(5) + " "
            + ((B) b).over((Object) 5));
        System.out.println(Shape.of(1) + " " + Shape.of(2, 3) + " " + Shape.of(1, 2, 3));
        Counter n = new Counter().inc();
        Counter m = n.clone();
        m.inc();
        System.out.println(n.n + " " + m.n + " " + n.arr[0] + " " + (n.arr == m.arr));
        try { new NotCloneable().tryClone(); } catch (CloneNotSupportedException e) { System.out.println(e); }
        Point p = new Point(1, 2), cp = new ColorPoint(1, 2, "red");
        System.out.println(p.equals(cp) + " " + cp.equals(p) + " " + p.equals(null) + " " + cp + " " + cp.hashCode());
        System.out.println(new Add(3, new Mul(4, new Add(-1, null))).run(5));
        Object o = c;
        System.out.println((o instanceof A) + " " + (o instanceof B) + " " + (o.getClass() == C.class) + " "
            + o.getClass().getSuperclass().getSimpleName());
        try {
            C bad = (C) b;
            System.out.println(bad);
        } catch (ClassCastException e) {
            System.out.println(e.getMessage());
        }
        try {
            Object s = List.of();
            Runnable r = (Runnable) s;
            r.run();
        } catch (ClassCastException e) {
            System.out.println(e.getMessage().replaceAll("@[0-9a-f]+", "@"));
        }
        A nul = null;
        System.out.println(nul.st());
        long sum = 0;
        A[] mix = {a, b, c};
        for (int i = 0; i < 3000; i++) sum += mix[i % 3].who().length();
        System.out.println(sum);
    }
}
