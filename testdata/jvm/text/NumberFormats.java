// DecimalFormat, NumberFormat by locale, compact numbers, currency, percent, parsing, rounding modes, ChoiceFormat.
import java.math.*;
import java.text.*;
import java.util.*;

public class NumberFormats {
    static String v(String s) {
        return s.replace('\u00a0', '_').replace('\u202f', '~').replace('\u2212', '-').replace("\u200e",
            "^").replace("\u061c", "^");
    }
    interface T { Object run() throws Throwable; }
    static void t(String n, T r) {
        try {
            System.out.println(n + " " + r.run());
        } catch (Throwable e) {
            System.out.println(n + " !" + e.getClass().getSimpleName() + ": " + e.getMessage());
        }
    }
    public static void main(String[] args) throws Exception {
        DecimalFormatSymbols us = DecimalFormatSymbols.getInstance(Locale.US);
        double[] ds = {0, -0.0, 1, -1, 1234567.891, 0.000123, 1e20, -98765.4321, Double.NaN, Double.POSITIVE_INFINITY,
            2.5, 3.5, 0.005, 999.995};
        for (String p
            :
            "0 # #.## 0.00 #,##0.00 000.0 0.###E0 ##0.#E0 00.00% #.##‰ ¤#,##0.00 ¤¤0.0 #,##0.00;(#,##0.00) 'q'0'#' #,####.0 0.0;neg 00,00.0".split(" "))
            {
            DecimalFormat f = new DecimalFormat(p, us);
            StringBuilder sb = new StringBuilder(p + ":");
            for (double d : ds) sb.append(' ').append(f.format(d));
            System.out.println(v(sb.toString()) + " | " + f.toPattern() + " " + f.getPositivePrefix()
                + f.getNegativePrefix() + f.getMultiplier());
        }
        for (RoundingMode m : RoundingMode.values()) {
            if (m == RoundingMode.UNNECESSARY) continue;
            DecimalFormat f = new DecimalFormat("0.0", us);
            f.setRoundingMode(m);
            StringBuilder sb = new StringBuilder(m + ":");
            for (double d : new double[] {0.25, 0.35, -0.25, 1.05, 1.15, -1.15, 0.949999})
                sb.append(' ').append(f.format(d));
            System.out.println(sb);
        }
        t("unnecessary", () -> { DecimalFormat f = new DecimalFormat("0.0", us);
            f.setRoundingMode(RoundingMode.UNNECESSARY); return f.format(0.25); });
        for (Locale l : new Locale[] {Locale.US, Locale.UK, Locale.GERMANY, Locale.FRANCE, Locale.JAPAN,
            new Locale("de", "CH"), new Locale("hi", "IN"), new Locale("ar", "EG"), new Locale("pt", "BR"), Locale.ROOT,
            new Locale("ru"), new Locale("sv", "SE")}) System.out.println(l + " "
            + v(NumberFormat.getInstance(l).format(-1234567.891) + " " + NumberFormat.getIntegerInstance(l).format(2.5)
            + " " + NumberFormat.getPercentInstance(l).format(0.256) + " "
            + NumberFormat.getCurrencyInstance(l).format(-1234.5)) + " "
            + v(NumberFormat.getCompactNumberInstance(l, NumberFormat.Style.SHORT).format(1234567)) + " "
            + v(NumberFormat.getCompactNumberInstance(l, NumberFormat.Style.LONG).format(12345)));
        NumberFormat nf = NumberFormat.getInstance(Locale.US);
        System.out.println(nf.parse("1,234.5xyz") + " " + nf.parse("-5").getClass().getSimpleName() + nf.parse("1e3")
            + nf.parse("∞") + NumberFormat.getPercentInstance(Locale.US).parse("25%")
            + NumberFormat.getCurrencyInstance(Locale.US).parse("$1,000.50"));
        t("parse bad", () -> nf.parse("abc"));
        t("parse null", () -> nf.parse(null));
        ParsePosition pp = new ParsePosition(2);
        System.out.println(nf.parse("xx12yy", pp) + " " + pp.getIndex() + pp.getErrorIndex() + nf.parse("zz", pp) + pp);
        DecimalFormat bd = new DecimalFormat("#,##0.###", us);
        bd.setParseBigDecimal(true);
        System.out.println(bd.parse("12345678901234567890.123").getClass().getSimpleName()
            + bd.format(new BigDecimal("12345678901234567890.12345"))
            + bd.format(new BigInteger("99999999999999999999")) + bd.format(Long.MIN_VALUE));
        bd.setMaximumIntegerDigits(3);
        bd.setMinimumFractionDigits(2);
        bd.setGroupingUsed(false);
        bd.setDecimalSeparatorAlwaysShown(true);
        bd.setPositivePrefix("+");
        System.out.println(bd.format(123456.7) + " " + bd.toPattern());
        t("bad pattern", () -> new DecimalFormat("0.0.0"));
        t("bad pattern2", () -> new DecimalFormat("#0#"));
        t("format obj", () -> nf.format("x"));
        FieldPosition fp = new FieldPosition(NumberFormat.Field.FRACTION);
        StringBuffer sb = nf.format(1234.56, new StringBuffer(), fp);
        System.out.println(sb + " " + fp.getBeginIndex() + "-" + fp.getEndIndex());
        AttributedCharacterIterator it = nf.formatToCharacterIterator(-1234.5);
        StringBuilder at = new StringBuilder();
        for (char c = it.first(); c != CharacterIterator.DONE; c = it.next())
            at.append(c).append(it.getAttributes().size());
        System.out.println(at + " " + new TreeSet<>(it.getAllAttributeKeys().stream().map(Object::toString).toList()));
        ChoiceFormat cf = new ChoiceFormat("-1#neg|0#none|1#one|1<many {0}");
        for (double d : new double[] {-5, 0, 0.5, 1, 1.5, 100}) System.out.print(cf.format(d) + ",");
        System.out.println(cf.toPattern() + ChoiceFormat.nextDouble(1.0) + cf.parse("one"));
        System.out.println(us.getDecimalSeparator() + "" + us.getGroupingSeparator() + us.getMinusSign()
            + us.getInfinity() + us.getNaN() + us.getCurrencySymbol() + us.getExponentSeparator() + us.getPerMill()
            + DecimalFormatSymbols.getInstance(Locale.GERMANY).getDecimalSeparator()
            + ((DecimalFormat) nf).equals(nf.clone()) + nf.getMaximumFractionDigits() + nf.isGroupingUsed()
            + nf.getRoundingMode());
    }
}
