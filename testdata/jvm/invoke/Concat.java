// String concatenation of every type, in every position, with many operands, constants, nulls, side effects and failures.
public class Concat {
    static int n; static int next() { return ++n; }
    static class T {
        final String s;
        T(String s) { this.s = s; }
        @Override public String toString() { n += 100; return s; }
    }
    static class Boom { @Override public String toString() { throw new IllegalStateException("boom"); } }
    static String all(boolean z, byte b, char c, short s, int i, long l, float f, double d, String str, Object o,
        int[] a, CharSequence cs) {
        return "[" + z + b + c + s + i + l + f + d + str + o + (a == null ? "null" : "arr") + cs + "]";
    }
    static String pre(int i) { return "pre" + i; }
    static String post(int i) { return i + "post"; }
    static String mid(int i) { return "a" + i + "b"; }
    static String dbl(String a, String b) { return a + b; }
    static String tri(String a, char c, String b) { return a + c + b; }
    static String chars(char a, char b) { return "" + a + b; }
    static String lat(String a) { return a + "é"; }
    static String uni(String a) { return a + "漢"; }
    static String one(Object o) { return "" + o; }
    public static void main(String[] args) {
        System.out.println(all(true, (byte) -128, '\u00ff', (short) -32768, Integer.MIN_VALUE, Long.MIN_VALUE,
            Float.MIN_VALUE, Double.MAX_VALUE, "str", null, null, new StringBuilder("sb")));
        System.out.println(all(false, (byte) 0, 'λ', (short) 0, 0, 0, -0f, 0.0, null, new T("t"), new int[0], null));
        for (int i : new int[] {0, 9, 10, -1, -10, 99999, 100000, Integer.MAX_VALUE})
            System.out.print(pre(i) + post(i) + mid(i) + " ");
        System.out.println();
        for (long l : new long[] {0, 1234567890123L, -9, Long.MAX_VALUE}) System.out.print("l" + l + l + "|");
        System.out.println();
        for (double d : new double[] {1, 1e7, 1.0E-5, 123456.789, 1 / 3.0, 1e21, 5e-324, 100, 2.0e-3,
            9007199254740993.0}) System.out.print(d + "|" + (float) d + " ");
        System.out.println();
        System.out.println(dbl("a", "b") + dbl(null, "b") + dbl("", "") + tri("x", 'y', null) + chars('p', 'λ')
            + lat("q") + uni("w") + uni("é") + one(null) + one('c') + one(1.5f));
        System.out.println(next() + "," + next() + "," + (next() + next()) + "," + n + new T("x") + n + new T("y") + n);
        String s = "s";
        s += s + s;
        s += 'c' + 1;
        s += (char) ('c' + 1);
        s += 1 + 2 + "3" + 4 + 5;
        System.out.println(s);
        StringBuilder sb = new StringBuilder("q"); String t = "" + sb + sb.append("w") + sb; System.out.println(t);
        try {
            String u = "a" + next() + new Boom() + next();
            System.out.println(u);
        } catch (IllegalStateException e) {
            System.out.println(e.getMessage() + n);
        }
        String[] arr = {"a", "b"};
        int k = 0;
        arr[k++] += arr[k] + k;
        System.out.println(arr[0] + k);
        Object o = "obj";
        o += "more";
        System.out.println(o);
        CharSequence cs = "cs";
        cs += "x" + 1;
        System.out.println(cs);
        String long1 = "x".repeat(1000) + next() + "y".repeat(1000) + 'z' + 2.5 + true;
        System.out.println(long1.length() + " " + long1.hashCode());
        String u16 = "ж".repeat(500) + 1 + "a".repeat(10) + '\u0000' + 'ж';
        System.out.println(u16.length() + " " + u16.hashCode());
        int a = 1, b = 2;
        long c = 3;
        double d = 4;
        char e = 'e';
        boolean f = true;
        float g = 6;
        short h = 7;
        byte i = 8;
        String j = "j";
        System.out.println("\1" + a + "\2" + b + "\1\2" + c + d + e + f + g + h + i + j + a + b + c + d + e + f + g + h
            + i + j + a + b + c + d + e + f + g + h + i + j);
        System.out.println(("" + a + b + c + d + e + f + g + h + i + j + a + b + c + d + e + f + g + h + i + j + a
            + b + c + d + e + f + g + h + i + j + a + b + c + d + e + f + g + h + i + j + a + b + c + d + e + f
            + g + h + i + j + a + b + c + d + e + f + g + h + i + j + a + b + c + d + e + f + g + h + i + j + a
            + b + c + d + e + f + g + h + i + j + a + b + c + d + e + f + g + h + i + j + a + b + c + d + e + f
            + g + h + i + j).hashCode());
        int total = 0;
        for (int q = 0; q < 5000; q++) total += ("k" + q + ":" + (q * 0.5) + (char) ('a' + q % 26)).hashCode();
        System.out.println(total);
        System.out.println("" + 'a' + 'b' + ('a' + 'b') + (char) 98 + 1L + 1f + 1d + null + true + new char[0].length
            + (Object) null + Integer.valueOf(5) + Thread.State.NEW);
    }
}
