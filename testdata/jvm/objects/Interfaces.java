// Default, static and private interface methods, diamonds, re-abstraction, super selection, functional and marker ones.
import java.util.function.IntSupplier;

public class Interfaces {
    interface A { default String m() { return "A"; } default String n() { return "An" + m(); } }
    interface B extends A { default String m() { return "B>" + A.super.m(); } }
    interface C extends A { default String m() { return "C>" + A.super.m(); } }
    static class D implements B, C { public String m() { return "D(" + B.super.m() + "," + C.super.m() + ")"; } }
    static class E implements A, B { }
    static class Base { public String m() { return "Base"; } }
    static class F extends Base implements B { }
    interface G extends A { String m(); }
    static abstract class H implements G { }
    static class I extends H { public String m() { return "I"; } }
    interface Priv {
        private String p() { return "priv" + s(); }
        private static String s() { return "stat"; }
        default String call() { return p(); }
        static String make(Priv x) { return x.p() + "!"; }
    }
    interface Left { default String x() { return "left"; } }
    interface Right { String x(); }
    static class Both implements Left, Right { public String x() { return Left.super.x() + "/both"; } }
    interface Visitor<R> { R num(int n); R add(Expr a, Expr b); default R neg(Expr e) { return add(e, e); } }
    interface Expr {
        <R> R accept(Visitor<R> v);
        static Expr of(int n) { return new Expr() { public <R> R accept(Visitor<R> v) { return v.num(n); } }; }
    }
    record Add(Expr a, Expr b) implements Expr { public <R> R accept(Visitor<R> v) { return v.add(a, b); } }
    record Neg(Expr e) implements Expr { public <R> R accept(Visitor<R> v) { return v.neg(e); } }
    interface Const { int ONE = 1; String NAME = "const" + ONE; int[] ARR = {1, 2}; }
    static class UsesConst implements Const { int get() { return ARR[ONE] + NAME.length(); } }
    interface Obj { boolean equals(Object o); int hashCode(); String toString(); }
    @FunctionalInterface interface Tri<X, Y, Z, R> {
        R go(X x, Y y, Z z);
        default Tri<X, Y, Z, String> str() { return (x, y, z) -> "s" + go(x, y, z); }
    }
    interface Gen<T> { T id(T t); }
    static class StrGen implements Gen<String> { public String id(String s) { return s + s; } }
    interface M0 { int v(); } interface M1 { int v(); } interface M2 { int v(); }
    static class Multi implements M0, M1, M2, IntSupplier {
        public int v() { return 4; }
        public int getAsInt() { return v() * 2; }
    }
    enum Op implements IntSupplier {
        X { public int getAsInt() { return 1; } }, Y { public int getAsInt() { return 2; } }
    }

    public static void main(String[] args) {
        System.out.println(new D().m() + " " + new D().n() + " " + new E().m() + " " + new F().m() + " " + new F().n()
            + " " + new I().n());
        Priv p = new Priv() { };
        System.out.println(p.call() + " " + Priv.make(p) + " " + new Both().x());
        Expr e = new Add(Expr.of(3), new Neg(new Add(Expr.of(4), Expr.of(5))));
        int val = e.accept(new Visitor<Integer>() {
            public Integer num(int n) { return n; }
            public Integer add(Expr a, Expr b) { return a.<Integer>accept(this) + b.accept(this); }
            public Integer neg(Expr x) { return -x.accept(this); }
        });
        String str = e.accept(new Visitor<String>() {
            public String num(int n) { return "" + n; }
            public String add(Expr a, Expr b) { return "(" + a.accept(this) + "+" + b.accept(this) + ")"; }
        });
        System.out.println(val + " " + str + " " + new UsesConst().get() + " " + UsesConst.ONE);
        Obj o = new Obj() { public String toString() { return "obj"; } };
        System.out.println(o + " " + o.equals(o) + " " + (o.hashCode() == System.identityHashCode(o)));
        Tri<Integer, Long, Double, Double> t = (x, y, z) -> x + y + z;
        System.out.println(t.go(1, 2L, 3.5) + " " + t.str().go(1, 1L, 1.0));
        Gen<String> g = new StrGen();
        System.out.println(g.id("q"));
        @SuppressWarnings({"rawtypes", "unchecked"}) Runnable bad = () -> ((Gen) g).id(5);
        try { bad.run(); } catch (ClassCastException x) { System.out.println("bridge cast"); }
        Object m = new Multi();
        System.out.println(((M0) m).v() + ((M1) m).v() + ((M2) m).v() + ((IntSupplier) m).getAsInt());
        int s = 0;
        IntSupplier[] all = {new Multi(), Op.X, Op.Y, () -> 7, new Multi()::v};
        for (int i = 0; i < 1000; i++) s += all[i % all.length].getAsInt();
        System.out.println(s + " " + (Op.X instanceof IntSupplier) + " " + (m instanceof Comparable));
        try {
            Object q = "s";
            ((IntSupplier) q).getAsInt();
        } catch (ClassCastException x) {
            System.out.println(x.getMessage());
        }
    }
}
