// MessageFormat: arguments, sub-formats, choices, quoting, parsing, errors; Collator, RuleBasedCollator, Normalizer, BreakIterator.
import java.text.*;
import java.util.*;

public class MessageFormats {
    interface T { Object run() throws Throwable; }
    static void t(String n, T r) {
        try {
            System.out.println(n + " " + r.run());
        } catch (Throwable e) {
            System.out.println(n + " !" + e.getClass().getSimpleName() + ": " + e.getMessage());
        }
    }
    static String breaks(BreakIterator b, String s) {
        b.setText(s);
        StringBuilder sb = new StringBuilder();
        int st = b.first();
        for (int e = b.next(); e != BreakIterator.DONE; st = e, e = b.next())
            sb.append('[').append(s, st, e).append(']');
        return sb.toString();
    }
    public static void main(String[] args) throws Exception {
        TimeZone.setDefault(TimeZone.getTimeZone("UTC"));
        Locale.setDefault(Locale.US);
        Date d = new Date(1700000000000L);
        for (String p : new String[] {"{0} {1}", "{1} {0} {0}", "it''s {0}", "'{0}' {0}",
            "{0,number} {0,number,integer} {0,number,percent} {0,number,#.#} {0,number,currency}",
            "{2,date} {2,time} {2,date,short} {2,date,yyyy/MM/dd} {2,time,HH:mm} {2,date,full}",
            "{0,choice,0#none|1#one|1<many {0,number}}", "{3} {9}", "", "plain", "{0,number,'#'0}", "{ 1 }", "'",
            "a'b{0}c'd"}) t(p, () -> MessageFormat.format(p, 1234.5, "str", d, null));
        for (String p : new String[] {"{", "{0", "{x}", "{-1}", "{0,foo}", "{0,number,0.0.0}", "}", "{0,choice,x}"})
            t(p, () -> new MessageFormat(p).format(new Object[] {1}));
        t("wrong type", () -> MessageFormat.format("{0,number}", "s"));
        t("wrong date", () -> MessageFormat.format("{0,date}", "s"));
        MessageFormat mf = new MessageFormat("{0} has {1,number} items on {2,date,yyyy-MM-dd}");
        System.out.println(Arrays.toString(mf.parse("bob has 1,234 items on 2024-02-29")) + mf.toPattern()
            + mf.getFormats().length + mf.equals(new MessageFormat(mf.toPattern())));
        t("parse bad", () -> mf.parse("nothing here"));
        mf.setFormat(1, new DecimalFormat("000"));
        System.out.println(mf.format(new Object[] {"x", 5, d}) + " "
            + new MessageFormat("{0,number}", Locale.GERMANY).format(new Object[] {1234.5}));
        Collator c = Collator.getInstance(Locale.US);
        List<String> w = new ArrayList<>(List.of("zebra", "Äpfel", "apple", "Apple", "äpfel", "eclair", "éclair",
            "Zebra", "co-op", "coop", "résumé", "resume"));
        w.sort(c);
        System.out.println(w);
        for (int s : new int[] {Collator.PRIMARY, Collator.SECONDARY, Collator.TERTIARY, Collator.IDENTICAL}) {
            c.setStrength(s);
            System.out.print(c.compare("a", "A") + "" + c.compare("a", "á") + c.compare("a", "b")
                + c.equals("résumé", "resume") + " ");
        }
        System.out.println();
        Collator sv = Collator.getInstance(new Locale("sv"));
        System.out.println(sv.compare("ö", "z") + " " + Collator.getInstance(Locale.GERMAN).compare("ö", "z")
            + new RuleBasedCollator("< z < y < x").compare("z", "x")
            + c.getCollationKey("abc").compareTo(c.getCollationKey("abd")));
        t("bad rules", () -> new RuleBasedCollator("< a < < b"));
        CollationElementIterator ce = ((RuleBasedCollator)
            Collator.getInstance(Locale.US)).getCollationElementIterator("ab");
        System.out.println(Integer.toHexString(ce.next()) + " " + CollationElementIterator.primaryOrder(ce.next()));
        for (String s : new String[] {"é", "ﬁ", "ÅΩ", "가", "①½", "e\u0301\u0323"}) {
            StringBuilder sb = new StringBuilder();
            for (Normalizer.Form f : Normalizer.Form.values()) {
                String n = Normalizer.normalize(s, f);
                sb.append(f).append('=');
                n.chars().forEach(x -> sb.append(Integer.toHexString(x)).append(','));
                sb.append(Normalizer.isNormalized(s, f)).append(' ');
            }
            System.out.println(sb);
        }
        String text = "Hello, Mr. Smith! It's 3.14 o'clock. Isn't it? Yes... “Quoted” text—dash. 漢字です。 e-mail";
        System.out.println(breaks(BreakIterator.getWordInstance(Locale.US), text));
        System.out.println(breaks(BreakIterator.getSentenceInstance(Locale.US), text));
        System.out.println(breaks(BreakIterator.getLineInstance(Locale.US), text));
        System.out.println(breaks(BreakIterator.getCharacterInstance(Locale.US), "ae\u0301x😀\r\ny"));
        BreakIterator b = BreakIterator.getWordInstance(Locale.US);
        b.setText("one two three");
        System.out.println(b.last() + " " + b.previous() + " " + b.following(4) + " " + b.preceding(4) + " "
            + b.isBoundary(3) + b.isBoundary(5) + b.current() + b.next(2));
        StringCharacterIterator si = new StringCharacterIterator("abc", 1);
        System.out.println(si.current() + "" + si.next() + (si.next() == CharacterIterator.DONE) + si.first()
            + si.previous() / 65535 + si.setIndex(2) + si.getEndIndex());
        Bidi bidi = new Bidi("abc אבג def", Bidi.DIRECTION_LEFT_TO_RIGHT);
        System.out.println(bidi.isMixed() + " " + bidi.getRunCount() + bidi.getLevelAt(5) + bidi.baseIsLeftToRight());
    }
}
