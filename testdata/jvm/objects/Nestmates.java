// Private access between nest members by every route: fields, methods, constructors, interfaces, lambdas, reflection.
import java.lang.reflect.*;
import java.util.*;
import java.util.function.*;

public class Nestmates {
    private int f = 1;
    private static long sf = 2;
    private Nestmates() { }
    private Nestmates(int f) { this.f = f; }
    private int m(int x) { return x + f; }
    private static <T> T id(T t) { return t; }
    static class A {
        private int g = new Nestmates(5).f;
        private int use(Nestmates n) { n.f += 2; n.f++; sf <<= 3; return n.m(g) + (int) (long) id(sf); }
        private class B { private int h = g + 1; private int deep() { return h + A.this.g; } }
        private interface P { private int q() { return 9; } }
    }
    interface I {
        private static String hidden() { return "hidden"; }
        private String inst() { return "inst" + this.name(); }
        String name();
    }
    private static class Super { private String who() { return "super"; } String call() { return who(); } }
    private static class Sub extends Super { private String who() { return "sub"; } }
    enum E {
        X { int v() { return E.X.priv() * 2; } };
        private int priv() { return 21; }
        abstract int v();
        private static int es = 4;
        private static int priv2() { return es; }
    }
    public static void main(String[] args) throws Exception {
        Nestmates n = new Nestmates();
        A a = new A();
        System.out.println(a.use(n) + " " + n.f + " " + a.g + " " + sf);
        A.B b = a.new B();
        b.h *= 2;
        System.out.println(b.deep() + " " + b.h + " " + ((A.P) new A.P() { }).q());
        I i = () -> "nm";
        System.out.println(I.hidden() + " " + i.inst());
        Super s = new Sub();
        System.out.println(s.who() + " " + ((Sub) s).who() + " " + s.call());
        System.out.println(E.X.v() + E.priv2() + " " + E.X.priv());
        IntUnaryOperator op = n::m;
        Function<Integer, Nestmates> mk = Nestmates::new;
        Supplier<Nestmates> mk0 = Nestmates::new;
        System.out.println(op.applyAsInt(10) + " " + mk.apply(77).f + " " + mk0.get().f);
        System.out.println(Nestmates.class.getNestHost() + " " + A.B.class.getNestHost() + " "
            + A.class.isNestmateOf(E.class) + " " + A.class.isNestmateOf(String.class) + " "
            + Nestmates.class.getNestMembers()[0].getSimpleName());
        TreeSet<String> names = new TreeSet<>();
        for (Class<?> c : Nestmates.class.getNestMembers()) names.add(c.getName());
        System.out.println(names);
        Field f = A.class.getDeclaredField("g");
        f.set(a, 99);
        System.out.println(a.g + " " + Modifier.isPrivate(f.getModifiers()) + " " + f.canAccess(a));
        Constructor<Nestmates> c = Nestmates.class.getDeclaredConstructor(int.class);
        System.out.println(c.newInstance(3).m(4));
        int[] acc = {0};
        for (int k = 0; k < 1000; k++) { n.f ^= k; acc[0] += n.m(k) + (int) (sf++ & 7); }
        System.out.println(acc[0] + " " + n.f);
    }
}
