// SimpleDateFormat and DateFormat: all letters, styles by locale, lenient and strict parsing, symbols, two-digit years, zones.
import java.text.*;
import java.util.*;

public class DateFormats {
    interface T { Object run() throws Throwable; }
    static void t(String n, T r) {
        try {
            System.out.println(n + " " + r.run());
        } catch (Throwable e) {
            System.out.println(n + " !" + e.getClass().getSimpleName() + ": " + e.getMessage());
        }
    }
    public static void main(String[] args) throws Exception {
        TimeZone.setDefault(TimeZone.getTimeZone("America/New_York"));
        Locale.setDefault(Locale.US);
        Date d = new Date(1709210096789L);
        for (String p
            :
            "G y yy yyyy YYYY M MM MMM MMMM L LLLL w ww W D d dd F E EEE EEEE u a H HH k K h m s S SSS z zzzz Z X XX XXX yyyy-MM-dd'T'HH:mm:ss.SSSXXX 'o''clock'".split(" "))
            t(p, () -> new SimpleDateFormat(p, Locale.US).format(d));
        for (Locale l : new Locale[] {Locale.US, Locale.UK, Locale.FRANCE, Locale.GERMANY, Locale.JAPAN,
            new Locale("es", "MX"), Locale.ROOT}) for (int s
            : new int[] {DateFormat.SHORT, DateFormat.MEDIUM, DateFormat.LONG, DateFormat.FULL}) System.out.println(l
            + " " + DateFormat.getDateTimeInstance(s, s, l).format(d).replace('\u202f', '~').replace('\u00a0', '_'));
        for (String z : new String[] {"UTC", "GMT+05:30", "Asia/Tokyo", "Europe/London", "Australia/Lord_Howe",
            "bogus"}) {
            SimpleDateFormat f = new SimpleDateFormat("yyyy-MM-dd HH:mm z Z zzzz", Locale.US);
            f.setTimeZone(TimeZone.getTimeZone(z));
            System.out.println(z + " " + f.format(d));
        }
        String[][] parses = {{"yyyy-MM-dd", "2024-02-29"}, {"yyyy-MM-dd", "2023-02-29"}, {"yyyy-MM-dd", "2024-13-45"},
            {"yy", "49"}, {"yy", "99"}, {"MMM d, yyyy", "Feb 3, 2001"}, {"MMM d, yyyy", "February 3, 2001"},
            {"EEE, d MMM yyyy HH:mm:ss Z", "Wed, 4 Jul 2001 12:08:56 -0700"}, {"HH:mm", "25:61"}, {"yyyy", "abc"},
            {"yyyy-MM-dd HH:mm z", "2024-07-01 10:00 PST"}, {"hh:mm a", "12:30 AM"}, {"yyyyMMdd", "20240315"},
            {"yyyy-MM-dd'T'HH:mm:ssXXX", "2024-01-01T00:00:00+02:00"}, {"G yyyy", "BC 44"}, {"D yyyy", "60 2024"},
            {"w YYYY", "9 2024"}, {"yyyy-MM-dd", " 2024-01-01"}, {"yyyy-MM-dd", "2024-1-1xyz"}};
        for (String[] p : parses)
            for (boolean len : new boolean[] {true, false})
                t(p[0] + " <" + p[1] + "> " + len,
                    () -> { SimpleDateFormat f = new SimpleDateFormat(p[0], Locale.US);
                    f.set2DigitYearStart(new Date(0)); f.setLenient(len);
                    SimpleDateFormat out = new SimpleDateFormat("G yyyy-MM-dd HH:mm:ss z", Locale.US);
                    return out.format(f.parse(p[1])); });
        t("bad letter", () -> new SimpleDateFormat("qqq"));
        t("unterminated", () -> new SimpleDateFormat("'abc"));
        t("null", () -> new SimpleDateFormat((String) null));
        t("format obj", () -> new SimpleDateFormat("yyyy").format("x"));
        ParsePosition pp = new ParsePosition(3);
        System.out.println(new SimpleDateFormat("yyyy", Locale.US).parse("xx 2024", pp) != null ? pp.toString()
            : "null");
        pp = new ParsePosition(0);
        System.out.println(new SimpleDateFormat("yyyy").parse("q", pp) + " " + pp.getErrorIndex());
        DateFormatSymbols sy = new DateFormatSymbols(Locale.FRANCE);
        System.out.println(Arrays.toString(sy.getMonths()) + Arrays.toString(sy.getShortWeekdays())
            + Arrays.toString(sy.getAmPmStrings()) + Arrays.toString(new DateFormatSymbols(Locale.US).getEras()));
        SimpleDateFormat cust = new SimpleDateFormat("MMMM EEEE a",
            new DateFormatSymbols(Locale.US) {{ setMonths(new String[] {"m0", "m1", "m2", "m3", "m4", "m5", "m6", "m7",
            "m8", "m9", "m10", "m11", ""}); }});
        System.out.println(cust.format(d) + " " + cust.toPattern() + " "
            + new SimpleDateFormat("yyyy", Locale.GERMANY).toLocalizedPattern()
            + new SimpleDateFormat("yyyy").equals(new SimpleDateFormat("yyyy"))
            + DateFormat.getDateInstance(DateFormat.SHORT, Locale.US).parse("1/2/03").getTime());
        FieldPosition fp = new FieldPosition(DateFormat.MONTH_FIELD);
        StringBuffer sb = new SimpleDateFormat("yyyy MMMM dd", Locale.US).format(d, new StringBuffer(), fp);
        System.out.println(sb.substring(fp.getBeginIndex(), fp.getEndIndex()));
        SimpleDateFormat dst = new SimpleDateFormat("yyyy-MM-dd HH:mm:ss Z z", Locale.US);
        for (long m : new long[] {1710053999000L, 1710054000000L, 1730613599000L, 1730613600000L, 0L,
            -86400000L * 365 * 100}) System.out.println(dst.format(new Date(m)));
    }
}
