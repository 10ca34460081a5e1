// Constant strings, interning, concatenation, identity, text blocks, escapes and compile-time folding.
public class Strings {
    static final String A = "con" + "stant" + 1 + 'c' + 2.0 + true;
    static final String B = "a" + null + (char) 66 + (byte) 300 + 1e10f + 07 + 0b11 + 1_000L;
    static String dynamic = "stant";

    public static void main(String[] args) {
        System.out.println(A + " " + B);
        String s = "con" + dynamic;
        System.out.println((s == "constant") + " " + (s.intern() == "constant") + " " + s.equals("constant"));
        System.out.println(("con" + "stant" == "constant") + " " + (new String("x") == "x") + " "
            + (Other.X == "shared") + " "
            + (String.valueOf('x').intern() == "x"));
        String block = """
            Hello,
              "World" \
            joined
            tab\there\s\s
            trailing   \s
            quotes \""" done
            unicode \u00e9 \101 \0end
            """;
        System.out.print(block.replace('\0', '0').replace(' ', '.'));
        System.out.println("\b\f\r\n\t\"\'\\\7\377".length() + " " + (int) "\377".charAt(0));
        Object o = null;
        char[] chars = {'h', 'i'};
        System.out.println("v" + o + 1 + 2L + 3f + 4d + 'c' + true + (Object) "o" + String.valueOf(chars) + (1 + 2) + -1 + (char) 97);
        String n = null;
        n += null;
        System.out.println(n + n.length());
        long wide = 1L << 40;
        double frac = 1 / 3.0;
        float ff = 1 / 3f;
        short sh = -5;
        byte by = (byte) 0x80;
        System.out.println("w" + wide + frac + ff + sh + by + '\u00e9' + "漢" + Long.MIN_VALUE + Integer.MIN_VALUE + Double.MIN_VALUE
            + Float.MAX_VALUE + Double.NaN + -0.0f);
        String longer = "";
        for (int i = 0; i < 300; i++) {
            longer += i;
        }
        System.out.println(longer.length() + " " + longer.hashCode());
        String many = "" + wide + 1 + wide + 2 + wide + 3 + wide + 4 + wide + 5 + wide + 6 + wide + 7 + wide + 8 + wide + 9 + wide + 10 + wide
            + 11 + wide + 12 + wide + 13 + wide + 14 + wide + 15 + wide + 16 + wide + 17 + wide + 18 + wide + 19 + wide + 20;
        System.out.println(many.hashCode());
        System.out.println("\u0001\u0002".length() + ("\u0001" + wide + "\u0002" + frac).length());
        System.out.println(new Strings() + "!" + new Object() {
            @Override
            public String toString() {
                return null;
            }
        });
        StringBuilder order = new StringBuilder();
        String r = "" + order.append("1") + order.append("2") + order.append("3");
        System.out.println(r);
        System.out.println("".isEmpty() + " " + "\ud83d\ude00".length() + " " + "\ud83d\ude00".codePointCount(0, 2) + " "
            + "\ud83d\ude00".codePointAt(0) + " " + "Aa".hashCode() + "BB".hashCode() + " " + "".hashCode());
        System.out.println(("abc" + 1 == "abc1") + " " + (("abc" + args.length) == "abc0"));
        final String local = "loc";
        String nonfinal = "loc";
        System.out.println((local + "al" == "local") + " " + (nonfinal + "al" == "local"));
        System.out.println("switch" + switch (args.length) { case 0 -> "none"; default -> 1; } + (args.length == 0 ? 1 : 'x'));
    }

    @Override
    public String toString() {
        return "me";
    }

    static class Other {
        static final String X = "sha" + "red";
    }
}
