// Boxing, caches, unboxing in conditionals and comparisons, parsing and printing in every base.
public class Boxing {
    static String pick(int i) { return "int"; }
    static String pick(long i) { return "long"; }
    static String pick(double i) { return "double"; }
    static String pick(Integer i) { return "Integer"; }
    static String pick(Object i) { return "Object"; }
    static String pick(int... i) { return "int..."; }

    static void parse(String s) {
        try {
            System.out.print(Integer.parseInt(s) + " ");
        } catch (NumberFormatException e) {
            System.out.print(e.getMessage() + " ");
        }
        try {
            System.out.print(Long.decode(s) + " ");
        } catch (NumberFormatException e) {
            System.out.print(e.getMessage() + " ");
        }
        try {
            System.out.println(Double.parseDouble(s));
        } catch (NumberFormatException e) {
            System.out.println(e.getMessage());
        }
    }

    public static void main(String[] args) {
        Integer a = 127, b = 127, c = 128, d = 128;
        System.out.println((a == b) + " " + (c == d) + " " + c.equals(d) + " " + (c <= d && c >= d));
        Long l = 127L, m = 127L;
        Character x = '\u007f', y = '\u007f', q = '\u0080', r = '\u0080';
        System.out.println((l == m) + " " + (x == y) + " " + (q == r) + " " + (Boolean.valueOf(true) == Boolean.TRUE)
            + " " + ((Byte) (byte) -128 == (Byte) (byte) -128) + " " + l.equals(127) + " " + l.equals(127L));
        byte by = 1;
        short sh = 1;
        char ch = 'c';
        System.out.println(pick(by) + pick(sh) + pick(ch) + pick(1L) + pick(1f) + pick(Integer.valueOf(1))
            + pick(Long.valueOf(1))
            + pick() + pick('c', 1) + pick((Object) 1) + pick((Number) 2));
        Object t = true ? 1 : "s";
        Object u = true ? 1 : 2.0;
        Object v = false ? 'a' : 98;
        Object w = true ? null : 0;
        System.out.println(t + " " + u + " " + v + " " + w + " " + v.getClass());
        try {
            Integer n = null;
            int k = args.length == 0 ? n : 1;
            System.out.println(k);
        } catch (NullPointerException e) {
            System.out.println("npe");
        }
        for (String s : new String[] {"12", "-2147483648", "2147483648", "+7", "0x1F", "-#ff", "010", "", " 1", "1_0",
            "1e3", "NaN",
            "-Infinity", "0x1.8p3", "1.5f", "1d", "\u0661\u0662", ".5", "5.", "e5", "--1", "9223372036854775808",
                "4.9e-324",
            "2.4e-324", "1.7976931348623159e308", "0x", "null"}) {
            parse(s);
        }
        try {
            Integer.parseInt(null);
        } catch (NumberFormatException e) {
            System.out.println(e.getMessage());
        }
        for (int radix : new int[] {2, 3, 8, 10, 16, 36, 99}) {
            System.out.print(Integer.toString(-123456, radix) + " " + Long.toString(Long.MIN_VALUE, radix) + " "
                + (radix <= 36 ? Integer.parseInt("101", radix) : 0) + "; ");
        }
        System.out.println();
        System.out.println(Integer.toBinaryString(-5) + " " + Integer.toOctalString(-5) + " "
            + Long.toHexString(-1L << 60) + " "
            + Integer.toUnsignedString(-1) + " " + Long.toUnsignedString(-1) + " "
                + Integer.parseUnsignedInt("4294967295") + " "
            + Long.divideUnsigned(-1, 10) + " " + Long.remainderUnsigned(-1, 10) + " " + Integer.divideUnsigned(-7, 3)
                + " "
            + Integer.compareUnsigned(-1, 1) + " " + Byte.toUnsignedInt((byte) -1) + " "
                + Short.toUnsignedLong((short) -2));
        for (int i : new int[] {0, 1, -1, 0x12345678, Integer.MIN_VALUE}) {
            System.out.print(Integer.bitCount(i) + "," + Integer.reverse(i) + "," + Integer.reverseBytes(i) + ","
                + Integer.highestOneBit(i)
                + "," + Integer.lowestOneBit(i) + "," + Integer.numberOfLeadingZeros(i) + ","
                    + Integer.numberOfTrailingZeros(i) + ","
                + Integer.rotateLeft(i, 7) + "," + Integer.rotateRight(i, 40) + "," + Integer.signum(i) + " ");
        }
        System.out.println();
        for (long i : new long[] {0, 1, -1, 0x123456789abcdef0L, Long.MIN_VALUE}) {
            System.out.print(Long.bitCount(i) + "," + Long.reverse(i) + "," + Long.reverseBytes(i) + ","
                + Long.highestOneBit(i) + ","
                + Long.numberOfLeadingZeros(i) + "," + Long.numberOfTrailingZeros(i) + "," + Long.rotateLeft(i, 7) + ","
                    + Long.hashCode(i) + " ");
        }
        System.out.println();
        System.out.println(Character.isLetter('é') + " " + Character.isDigit('\u0663') + " "
            + Character.getNumericValue('Ⅷ') + " "
            + Character.toUpperCase('ß') + " " + Character.toTitleCase('ǆ') + " " + Character.getType('€') + " "
                + Character.isWhitespace('\u00a0')
            + " " + Character.isSpaceChar('\u00a0') + " " + Character.getName(0x1F600) + " "
                + Character.isJavaIdentifierStart('$') + " "
            + Character.charCount(0x1F600) + " " + Character.toChars(0x1F600).length + " " + Character.digit('z', 36)
                + " "
            + Character.forDigit(11, 16) + " " + Character.UnicodeBlock.of('漢') + " " + Character.UnicodeScript.of('д')
                + " "
            + Character.isSurrogatePair('\ud83d', '\ude00') + " " + Character.getDirectionality('א') + " "
                + Character.isMirrored('('));
        System.out.println(Boolean.parseBoolean("TrUe") + " " + Boolean.logicalXor(true, false) + " "
            + Boolean.hashCode(true) + " "
            + Double.hashCode(1.5) + " " + Float.hashCode(1.5f) + " " + Character.hashCode('a') + " "
                + Byte.hashCode((byte) -1));
        System.out.println(Integer.valueOf(5).compareTo(7) + " " + Double.compare(0.0, -0.0) + " "
            + Boolean.compare(true, false) + " "
            + Character.compare('b', 'a') + " " + Byte.compare((byte) 1, (byte) 5) + " "
                + Short.compare((short) 1, (short) 5));
        Number[] ns = {(byte) 1, (short) 2, 3, 4L, 5.9f, -6.9, 1e30};
        for (Number n : ns) {
            System.out.print(n.intValue() + "/" + n.longValue() + "/" + n.byteValue() + "/" + n.doubleValue() + "/"
                + n.floatValue() + " ");
        }
        System.out.println();
    }
}
