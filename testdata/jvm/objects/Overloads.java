// Overload resolution as compiled: widening, boxing, varargs, most specific, null, generics; and evaluation order.
public class Overloads {
    static String f(byte b) { return "byte"; }
    static String f(short b) { return "short"; }
    static String f(char b) { return "char"; }
    static String f(int b) { return "int"; }
    static String f(long b) { return "long"; }
    static String f(float b) { return "float"; }
    static String f(double b) { return "double"; }
    static String f(boolean b) { return "boolean"; }
    static String f(Object b) { return "Object"; }
    static String f(Number b) { return "Number"; }
    static String f(String b) { return "String"; }
    static String f(Object... b) { return "Object..."; }
    static String g(long l, int i) { return "li"; } static String g(double a, double b) { return "dd"; }
    static String h(Integer... i) { return "Integer..."; }
    static String h(int a, Object... o) { return "int,Object..." + o.length; }
    static <T> String k(T t) { return "T"; } static <T extends Comparable<T>> String k(T t) { return "Comparable"; }
    static String n(CharSequence c) { return "cs"; } static String n(Object o) { return "o"; }
    static StringBuilder log = new StringBuilder();
    static int t(String s, int v) { log.append(s); return v; }
    static int[] arr(String s) { log.append(s); return null; }
    static int boom(String s) { log.append(s); throw new IllegalStateException(); }
    int inst(int a, int b) { log.append("call"); return a + b; }
    static Overloads make(String s) { log.append(s); return new Overloads(); }
    static Overloads nul(String s) { log.append(s); return null; }
    static long wide(long a, double b, long c, double d, int e, float f, long g) {
        return (long) (a + b * c - d + e * f) ^ g;
    }
    public static void main(String[] args) {
        byte b = 1; short s = 1; char c = 'c'; long l = 1; float fl = 1; double d = 1;
        System.out.println(f(b) + f(s) + f(c) + f(1) + f(l) + f(fl) + f(d) + f(true) + f("s") + f((Object) "s")
            + f(1, 2) + f() + f((Number) 1) + f(Integer.valueOf(1)) + f(Character.valueOf('c')) + f(new int[0])
            + f(new String[0]) + f(b + b) + f((byte) (b + b)) + f(c + 1) + f('a' + 'b') + f(1 / 2f));
        System.out.println(g(1, 1) + g(1, 1f) + g('a', 'b') + h(1, "x") + h(Integer.valueOf(3), 5.0, 6) + k("s")
            + k(new Object()) + n("s") + n(null) + n(1));
        int[] a = {1, 2, 3};
        int i = 0;
        i = i++ + (i = 5) * i-- + a[i - 2];
        System.out.println(i);
        t("a", 1);
        System.out.println(t("b", 2) + t("c", 3) * t("d", 4) - (t("e", 5) > 3 ? t("f", 6) : t("g", 7)) + " " + log);
        log.setLength(0);
        try {
            arr("A")[t("I", 0)] = boom("V");
        } catch (IllegalStateException e) {
            System.out.println("value first " + log);
        }
        log.setLength(0);
        try {
            arr("A")[t("I", 0)] = t("V", 1);
        } catch (NullPointerException e) {
            System.out.println("then null " + log);
        }
        log.setLength(0);
        try {
            a[t("I", 9)] += t("V", 1);
        } catch (ArrayIndexOutOfBoundsException e) {
            System.out.println("compound loads first " + log);
        }
        log.setLength(0);
        try {
            a[t("I", 9)] = t("V", 1);
        } catch (ArrayIndexOutOfBoundsException e) {
            System.out.println("simple stores last " + log);
        }
        log.setLength(0);
        try {
            nul("N").inst(t("x", 1), t("y", 2));
        } catch (NullPointerException e) {
            System.out.println("receiver checked last " + log);
        }
        log.setLength(0);
        System.out.println(make("M").inst(t("x", 1), t("y", 2)) + " " + log);
        log.setLength(0);
        try {
            int z = t("l", 1) / t("r", 0) + t("never", 1);
            System.out.println(z);
        } catch (ArithmeticException e) {
            System.out.println("div " + log);
        }
        log.setLength(0);
        try {
            int[][][] m = new int[t("1", 2)][t("2", -1)][t("3", 4)];
            System.out.println(m.length);
        } catch (NegativeArraySizeException e) {
            System.out.println("dims " + log + " " + e.getMessage());
        }
        System.out.println(wide(1L << 33, 2.5, -3, 1e3, 7, 0.5f, 99) + " " + wide('a', b, s, fl, c, l, i));
        long acc = 0; for (int q = 0; q < 100; q++) acc += wide(q, q / 3.0, q * q, -q, q, q / 7f, acc);
        System.out.println(acc);
        int x = 5; x = x = x + (x += 3) * (x -= 2) / (x = 1);
        System.out.println(x + " " + (x == 5 | t("", 1) > 0) + (char) (x + 'A'));
    }
}
