// Regular expressions: classes, quantifiers, groups, look-around, back references, flags, Unicode, regions, replacement, errors.
import java.util.*;
import java.util.regex.*;
import java.util.stream.*;

public class Regex {
    static void m(String p, String s, int... f) {
        try {
            Matcher m = Pattern.compile(p, f.length > 0 ? f[0] : 0).matcher(s);
            StringBuilder sb = new StringBuilder(p + " on " + s.replace("\n", "\\n").replace("\r", "\\r") + ": "
                + m.matches() + m.lookingAt() + " ");
            m.reset();
            while (m.find()) {
                sb.append('[').append(m.start()).append('-').append(m.end());
                for (int i = 0; i <= m.groupCount(); i++) sb.append(' ').append(m.group(i));
                sb.append(']');
            }
            System.out.println(sb.toString().replace("\n", "\\n").replace("\r", "\\r"));
        } catch (PatternSyntaxException e) {
            System.out.println(p + " !" + e.getDescription() + " " + e.getIndex() + " "
                + e.getMessage().replace("\n", "/"));
        }
    }
    interface T { Object run() throws Throwable; }
    static void t(String n, T r) {
        try {
            System.out.println(n + " " + r.run());
        } catch (Throwable e) {
            System.out.println(n + " !" + e.getClass().getSimpleName() + ": " + e.getMessage());
        }
    }
    public static void main(String[] args) {
        m("a*b", "aaab ab b");
        m("a*?b", "aaab");
        m("a*+a", "aaa");
        m("a{2,3}", "aaaaa");
        m("a{2,3}?", "aaaaa");
        m("(a|ab)(c|bcd)(d*)", "abcd");
        m("(a+)(b+)?", "aab a");
        m("(?:x)(y)", "xy");
        m("(?<year>\\d{4})-(?<mon>\\d\\d)", "2024-05 1999-12");
        m("(\\w)\\1", "aabbcd");
        m("(?<q>['\"]).*?\\k<q>", "'a' \"b'c\"");
        m("foo(?=bar)", "foobar foobaz");
        m("foo(?!bar)", "foobar foobaz");
        m("(?<=\\$)\\d+", "$12 34 $5");
        m("(?<!\\$)\\b\\d+", "$12 34");
        m("(?>a+)b", "aaab");
        m("^a", "a\na\ra", Pattern.MULTILINE);
        m("a$", "a\na\r\na");
        m("a$", "a\na\r\na", Pattern.MULTILINE);
        m("a.b", "a\nb axb");
        m("a.b", "a\nb", Pattern.DOTALL);
        m("(?s).", "\n");
        m("ABC", "abc", Pattern.CASE_INSENSITIVE);
        m("É", "é", Pattern.CASE_INSENSITIVE);
        m("É", "é", Pattern.CASE_INSENSITIVE | Pattern.UNICODE_CASE);
        m("(?i)abc(?-i)D", "ABCD abcd");
        m("a b # comment\nc", "abc", Pattern.COMMENTS);
        m("[a-c&&[^b]]+", "abcabc");
        m("[^\\d\\s]+", "ab 12 c");
        m("[\\[\\]\\-a]", "[]-a");
        m("[a-z[0-9]]+", "ab12AB");
        m("\\p{L}+", "abcÉ漢1");
        m("\\p{Lu}\\P{Lu}", "Ab cD");
        m("\\p{IsGreek}+", "abc αβγ");
        m("\\p{InCyrillic}", "жz");
        m("\\p{javaLowerCase}+", "abC");
        m("\\p{Alpha}\\p{Punct}\\p{XDigit}", "a!f g?g");
        m("\\w+", "été");
        m("\\w+", "été", Pattern.UNICODE_CHARACTER_CLASS);
        m("\\bword\\b", "word sword words");
        m("\\B.", "ab cd");
        m("\\A\\w+|\\w+\\z", "one two three");
        m("\\Gx", "xxyx");
        m("\\Qa.b\\E+", "a.bbb");
        m("a.b", "a.b axb", Pattern.LITERAL);
        m("\\x41\\u0042\\103\\t", "ABC\t");
        m("\\x{1F600}", "😀");
        m(".", "😀");
        m("[😀😁]", "😁");
        m("\\R", "a\r\nb\nc");
        m("\\h+\\v", " \t\n");
        m("\\X", "e\u0301x");
        m("\\N{LATIN SMALL LETTER E}", "e");
        m("", "ab");
        m("a|", "ba");
        m("(a)?b", "b ab");
        m("((a)|(b))*", "abab");
        m("(a*)*", "aab");
        m("(?:(?:a|b)+c)+", "abcbac");
        m("x{0}", "x");
        m("x{3,}", "xxxx");
        m("é", "e\u0301", Pattern.CANON_EQ);
        for (String bad : new String[] {"(", ")", "[", "[a", "a{", "a{2,1}", "*a", "a**", "\\", "\\k<no>", "(?<1>a)",
            "(?<a>x)(?<a>y)", "\\p{Nope}", "(?z)", "[z-a]", "(?<=a+)b", "\\x{110000}", "\\2(a)", "a{99999999999}",
            "(?<n", "\\c", "[[:alpha:]]"}) m(bad, "ab");
        Matcher m = Pattern.compile("(?<k>\\w+)=(?<v>\\w+)").matcher("a=1, b=22, c=3");
        System.out.println(m.replaceAll("${v}:${k}") + m.replaceFirst("$2")
            + m.reset().replaceAll(r -> r.group(1).toUpperCase() + "\\$")
            + m.reset().results().map(r -> r.start() + r.group(2)).toList());
        StringBuilder sb = new StringBuilder();
        m.reset();
        while (m.find()) m.appendReplacement(sb, "<$1>");
        m.appendTail(sb);
        System.out.println(sb + Matcher.quoteReplacement("$1\\") + Pattern.quote("a\\Eb"));
        t("no match", () -> Pattern.compile("a").matcher("a").group());
        t("bad group", () -> { Matcher q = Pattern.compile("a").matcher("a"); q.find(); return q.group(1); });
        t("bad name", () -> { Matcher q = Pattern.compile("a").matcher("a"); q.find(); return q.group("x"); });
        t("bad ref", () -> "a".replaceAll("a", "$5"));
        t("bad ref2", () -> "a".replaceAll("a", "\\"));
        t("bad ref3", () -> "a".replaceAll("a", "${x}"));
        m = Pattern.compile("\\bcat\\b").matcher("concat cat");
        m.region(3, 10);
        System.out.println(m.find() + " " + m.start() + m.regionStart() + m.hitEnd() + m.requireEnd());
        m.region(3, 6).useAnchoringBounds(false).useTransparentBounds(true);
        System.out.println(m.find() + " " + m.toString().replaceAll("java.*=\\\\", ""));
        System.out.println(Arrays.toString(Pattern.compile("\\s*,\\s*").split(" a , b,c ,,", -1))
            + Arrays.toString(Pattern.compile("(?<=,)").split("a,b,"))
            + Pattern.compile("b").splitAsStream("abcbd").toList()
            + Pattern.compile("^\\d+$").asMatchPredicate().test("123")
            + Stream.of("a1", "b").filter(Pattern.compile("\\d").asPredicate()).toList()
            + Pattern.compile("a", Pattern.COMMENTS | 2).flags() + Pattern.compile("x+")
            + Pattern.matches("\\d{3}", "123"));
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < 300; i++) text.append("user").append(i).append("@host").append(i % 7).append(".com, ");
        Matcher em = Pattern.compile("([\\w.]+)@(\\w+)\\.(com|org)").matcher(text);
        int n = 0, h = 0;
        while (em.find()) { n++; h = h * 31 + em.group(2).hashCode() + em.start(1); }
        System.out.println(n + " " + h);
        t("catastrophic-ish", () -> Pattern.matches("(x+x+)+y", "x".repeat(14)));
        t("deep", () -> Pattern.matches("(?:a|b)*", "ab".repeat(100)));
        m = Pattern.compile("a(b)?").matcher("a");
        m.find();
        System.out.println(m.start(1) + " " + m.group(1) + m.toMatchResult().groupCount()
            + m.usePattern(Pattern.compile("z")).find());
    }
}
