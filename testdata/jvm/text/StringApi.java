// The String class in full, on Latin-1 and UTF-16 strings alike.
import java.util.*;
import java.util.stream.*;

public class StringApi {
    interface T { Object run() throws Throwable; }
    static void t(String n, T r) {
        try {
            System.out.println(n + " " + r.run());
        } catch (Throwable e) {
            System.out.println(n + " !" + e.getClass().getSimpleName() + ": " + e.getMessage());
        }
    }
    public static void main(String[] args) throws Exception {
        for (String s : new String[] {"Hello, World", "", "  padded\t\n", "ÀÉÎõü ß ÿ", "漢字かな交じり", "a😀b😀", "mixed漢é",
            "\u2003wide\u2003", "İıſK", "ΑΣΟΣ ΣΑΣ", "a\0b"}) {
            System.out.println("[" + s.replace("\0", "\\0") + "] " + s.length() + " " + s.hashCode() + " "
                + s.codePointCount(0, s.length()) + " " + s.toUpperCase(Locale.ROOT) + "|" + s.toLowerCase(Locale.ROOT)
                + "|" + s.trim() + "|" + s.strip() + "|" + s.stripLeading() + "|" + s.stripTrailing() + "|"
                + s.isBlank() + s.isEmpty() + "|" + s.repeat(2) + "|" + new StringBuilder(s).reverse() + "|"
                + s.chars().sum() + " " + s.codePoints().sum() + "|" + s.indexOf('o') + s.indexOf("a")
                + s.lastIndexOf('b') + s.indexOf(0x1F600) + s.lastIndexOf("") + s.indexOf("", 3) + "|"
                + s.contains("ll") + s.startsWith("a") + s.endsWith("d") + s.startsWith("l", 2) + "|"
                + s.replace('a', 'z') + s.replace("o", "00") + s.replace("", "-") + "|" + s.compareTo("m")
                + s.compareToIgnoreCase("HELLO") + s.equalsIgnoreCase("hello, world")
                + s.contentEquals(new StringBuilder(s)) + s.regionMatches(true, 0, "HELLO", 0, 3) + "|"
                + Arrays.toString(s.getBytes("UTF-8")).hashCode() + Arrays.toString(s.getBytes("UTF-16LE")).hashCode()
                + Arrays.toString(s.getBytes("ISO-8859-1")).hashCode()
                + new String(s.getBytes("UTF-8"), "UTF-8").equals(s));
            }
        System.out.println(Arrays.toString("a,b,,c,,".split(",")) + Arrays.toString("a,b,,c,,".split(",", -1))
            + Arrays.toString("a,b,,c,,".split(",", 2)) + Arrays.toString("abc".split(""))
            + Arrays.toString("a1b22c".split("\\d+")) + Arrays.toString("".split(",")) + Arrays.toString(",".split(","))
            + Arrays.toString("a.b|c".split("[.|]")) + Arrays.toString("x  y".split(" ")));
        System.out.println(String.join("-", "a", "b") + String.join(",", List.of("x")) + String.valueOf((Object) null)
            + String.valueOf(new char[] {'q', 'w'}, 1, 1) + String.copyValueOf(new char[] {'z'}) + "%d%%".formatted(5)
            + "abc".concat("def") + "a\tb\\n\\101".translateEscapes() + "  x\n y".indent(2).replace('\n', '/')
            + "   a\n  b".stripIndent().replace('\n', '/') + "l1\nl2\r\nl3\rl4".lines().toList()
            + "abc".chars().mapToObj(c -> (char) c).toList() + "abc".transform(x -> x + x) + "x".equals(null)
            + "abc".subSequence(1, 2) + "Abc".charAt(0) + "é".codePointAt(0) + "a😀".offsetByCodePoints(0, 2)
            + "😀".codePointBefore(2) + "aXbX".lastIndexOf('X', 2) + "b".compareTo("abc") + "abc".matches("[a-c]+")
            + "aaa".replaceFirst("a", "b") + "aaa".replaceAll("a(a)", "<$1>") + "x".describeConstable().get());
        t("charAt", () -> "a".charAt(1));
        t("substring", () -> "abc".substring(-1));
        t("substring2", () -> "abc".substring(1, 5));
        t("cp", () -> "abc".codePointAt(3));
        t("bytes", () -> new String(new byte[2], 1, 3));
        t("chars", () -> new String(new char[2], -1, 1));
        t("cps", () -> new String(new int[] {0x110000}, 0, 1));
        t("cps ok", () -> new String(new int[] {65, 0x1F600, 0xe9}, 0, 3));
        t("charset", () -> "a".getBytes("nope"));
        t("compare null", () -> "a".compareTo(null));
        t("join null", () -> String.join(",", (CharSequence) null, "a"));
        t("getChars", () -> { char[] d = new char[5]; "hello".getChars(1, 4, d, 1);
            return Arrays.toString(d).replace('\0', '0'); });
        t("getChars bad", () -> { "hello".getChars(1, 9, new char[5], 1); return 0; });
        t("translate bad", () -> "\\q".translateEscapes());
        t("replaceAll bad", () -> "a".replaceAll("a", "$1"));
        t("split bad", () -> "a".split("["));
        System.out.println("abc".repeat(0).isEmpty() + " " + "".compareTo("a") + "ab".compareTo("é")
            + "漢".compareTo("a") + "\ud83d".length() + "STRASSE".equalsIgnoreCase("straße") + "ﬁ".toUpperCase()
            + "TITLE".toLowerCase(new Locale("tr")) + "title".toUpperCase(new Locale("tr"))
            + "i̇".toUpperCase(new Locale("lt")) + Stream.of("b", "A",
            "c").sorted(String.CASE_INSENSITIVE_ORDER).toList());
        String big = IntStream.range(0, 2000).mapToObj(i -> "w" + i).collect(Collectors.joining(" "));
        System.out.println(big.indexOf("w1999") + " " + big.lastIndexOf("w5") + " " + big.split(" ").length
            + big.replace("w", "ww").length() + " " + big.hashCode() + big.contains("w1500 w1501")
            + big.indexOf('9', 500) + big.toUpperCase().hashCode() + big.substring(100, 4000).hashCode()
            + big.intern().equals(big));
        char[] cs = {'x', 'y'};
        String fromCs = new String(cs);
        cs[0] = 'z';
        System.out.println(fromCs + new String("copy") + new String(new StringBuilder("sb"))
            + new String(new StringBuffer("buf")) + new String(new byte[] {72, 105}, 0)
            + new String(new char[] {'\u00ff', '\u0100'}).length());
    }
}
