// Sealed hierarchies, pattern matching for instanceof, exhaustive switch expressions over enums, nested patterns by hand.
import java.util.*;

public class Sealed {
    sealed interface Expr permits Num, Bin, Neg { }
    record Num(double v) implements Expr { }
    record Bin(char op, Expr l, Expr r) implements Expr { }
    static non-sealed class Neg implements Expr { final Expr e; Neg(Expr e) { this.e = e; } }
    static class LoudNeg extends Neg { LoudNeg(Expr e) { super(e); System.out.print("!"); } }
    abstract static sealed class Animal {
        abstract String noise();
        static final class Dog extends Animal { String noise() { return "woof"; } }
        static final class Cat extends Animal { String noise() { return "miaow"; } }
    }

    static double eval(Expr e) {
        if (e instanceof Num n) return n.v();
        if (e instanceof Bin b && b.op() == '+') return eval(b.l()) + eval(b.r());
        if (e instanceof Bin b && b.op() == '*') return eval(b.l()) * eval(b.r());
        if (e instanceof Bin b) throw new UnsupportedOperationException("op " + b.op());
        if (!(e instanceof Neg n)) throw new AssertionError(e);
        return -eval(n.e);
    }
    static String show(Object o) {
        if (o instanceof String s && !s.isEmpty()) return "str " + s.charAt(0);
        else if (o instanceof Integer i && i > 10 || o instanceof Long) return "big";
        else if (!(o instanceof Number)) return o instanceof char[] c ? "chars " + c.length : "other";
        Number n = (Number) o;
        return "num " + n.intValue();
    }
    static int parse(String src, int[] pos) {
        int v = term(src, pos);
        while (pos[0] < src.length() && (src.charAt(pos[0]) == '+' || src.charAt(pos[0]) == '-')) {
            char c = src.charAt(pos[0]++);
            int t = term(src, pos);
            v = c == '+' ? v + t : v - t;
        }
        return v;
    }
    static int term(String src, int[] pos) {
        int v = factor(src, pos);
        while (pos[0] < src.length() && "*/%".indexOf(src.charAt(pos[0])) >= 0) {
            char c = src.charAt(pos[0]++);
            int f = factor(src, pos);
            v = switch (c) { case '*' -> v * f; case '/' -> v / f; default -> v % f; };
        }
        return v;
    }
    static int factor(String src, int[] pos) {
        char c = src.charAt(pos[0]);
        if (c == '-') { pos[0]++; return -factor(src, pos); }
        if (c == '(') { pos[0]++; int v = parse(src, pos); pos[0]++; return v; }
        int v = 0;
        while (pos[0] < src.length() && Character.isDigit(src.charAt(pos[0]))) v = v * 10 + src.charAt(pos[0]++) - '0';
        return v;
    }
    public static void main(String[] args) {
        Expr e = new Bin('+', new Num(2), new Bin('*', new Num(3), new LoudNeg(new Num(4))));
        System.out.println(eval(e));
        try {
            eval(new Bin('/', e, e));
        } catch (UnsupportedOperationException x) {
            System.out.println(x.getMessage());
        }
        for (Object o : new Object[] {"hey", "", 5, 50, 5L, 2.9, new char[3], null, 'c'})
            System.out.print(show(o) + ", ");
        System.out.println();
        System.out.println(Expr.class.isSealed() + " " + Neg.class.isSealed() + " "
            + Animal.class.getPermittedSubclasses().length + " "
            + Arrays.toString(Expr.class.getPermittedSubclasses()));
        for (Animal a : List.of(new Animal.Dog(), new Animal.Cat())) System.out.print(a.noise() + " ");
        System.out.println();
        for (String s : List.of("1+2*3", "-(4-6)*7%5", "100/(3+4)-2", "((((9))))"))
            System.out.print(parse(s, new int[1]) + " ");
        try { parse("1/0", new int[1]); } catch (ArithmeticException x) { System.out.println(x.getMessage()); }
    }
}
