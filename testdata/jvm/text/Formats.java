// String.format and Formatter: every conversion, flag, width, precision, index, locale and every kind of failure.
import java.math.*;
import java.util.*;

public class Formats {
    static void f(String fmt, Object... a) {
        try {
            System.out.println(fmt + " => [" + String.format(Locale.US, fmt, a) + "]");
        } catch (IllegalFormatException e) {
            System.out.println(fmt + " !" + e.getClass().getSimpleName() + ": " + e.getMessage());
        }
    }
    static class Fm implements Formattable {
        public void formatTo(Formatter f, int flags, int w, int p) { f.format("Fm(%d,%d,%d)", flags, w, p); }
    }
    public static void main(String[] args) {
        for (Object o : new Object[] {0, 42, -42, Integer.MIN_VALUE, (byte) -1, (short) 300, Long.MAX_VALUE,
            new BigInteger("123456789012345678901234567890"), new BigInteger("-255")}) for (String s
            : "%d %5d %-8d| %08d %+d %,d %(d % d %x %X %#x %o %#o %020d %+,d %h".split(" (?=%)")) f(s, o);
        for (Object o : new Object[] {0.0, -0.0, 1.0, -1234567.891, 1e10, 1.5e-7, 123456789.987654321, Double.NaN,
            Double.NEGATIVE_INFINITY, Double.MIN_VALUE, Float.MAX_VALUE, 0.5f, 2.5, 3.5, 0.125, 1e100,
            new BigDecimal("123.4567890123456789"), new BigDecimal("1E+5"), new BigDecimal("-0.00001")}) for (String s
            : "%f %.2f %10.3f %-12.1f| %012.2f %+.1f %,.2f %(.2f %e %.3e %E %g %.3g %.0f %#.0f".split(" (?=%)")) f(s,
            o);
        for (Object o : new Object[] {1.0, 0.1, -0.0, 1e-310, Double.MAX_VALUE, 1.5f, Double.NaN}) {
            f("%a", o);
            f("%.3a", o);
            f("%A", o);
        }
        for (Object o : new Object[] {"str", null, 5, List.of(1), true, 'c', new Fm()}) {
            f("%s", o);
            f("%S", o);
            f("%10s|", o);
            f("%-10s|", o);
            f("%.2s", o);
            f("%b", o);
            f("%B", o);
            f("%#s", o);
            f("%-#8.3s", o);
        }
        for (Object o : new Object[] {'c', 65, (byte) 66, (short) 67, 0x1F600, null}) {
            f("%c", o);
            f("%C", o);
            f("%4c|", o);
            f("%-4c|", o);
        }
        f("%n%%");
        f("%5%|");
        f("%2$s %1$s %<s %s", "a", "b");
        f("%s %s", "a");
        f("%3$s", "a");
        f("%d", "a");
        f("%d", 1.5);
        f("%f", 1);
        f("%x", 1.5);
        f("%c", "s");
        f("%c", 0x110000);
        f("%q", 1);
        f("%");
        f("%-d", 1);
        f("%05s", 1);
        f("%-05d", 1);
        f("%+ d", 1);
        f("%,x", 1);
        f("%#d", 1);
        f("%.2d", 1);
        f("%+s", 1);
        f("%.1c", 'c');
        f("%.2%");
        f("%+x", 1);
        f("%+x", new BigInteger("255"));
        f("% x", new BigInteger("-255"));
        f("%1$d %1$x %1$o", 255);
        f("%h %h", "hi", null);
        f("%s", (Object) null);
        f("%s", (Object[]) null);
        f("%s", new Object[] {new String[] {"x"}.length});
        f("plain");
        f("");
        f("%1$s%1$s", "dup");
        f("%,d %,d %,.3f", 999, 1000, 1e9);
        f("%o %x %X", -8, -255, (byte) -1);
        f("%o", -8L);
        f("%e", new BigDecimal("12345.678"));
        f("%.0e", 15.5);
        f("%g", 0.0001);
        f("%g", 0.00001);
        f("%g", 123456.5);
        f("%g", 1234567.5);
        f("%b %b", false, "false");
        Calendar c = new GregorianCalendar(TimeZone.getTimeZone("UTC"), Locale.US);
        c.setTimeInMillis(1700000000123L);
        for (String s : "H I k l M S L N p z Z s Q B b h A a C Y y j m d e R T r D F c".split(" ")) f("%t" + s, c);
        f("%TB %1$tY-%1$tm-%1$td", c);
        f("%tF %<tT", c.getTimeInMillis());
        f("%tY", new Date(0));
        f("%tH:%<tM", java.time.LocalTime.of(5, 6));
        f("%tA %<te", java.time.LocalDate.of(2024, 2, 29));
        f("%tZ", java.time.ZonedDateTime.of(2024, 7, 1, 0, 0, 0, 0, java.time.ZoneId.of("Europe/Paris")));
        f("%tH", java.time.LocalDate.of(2024, 1, 1));
        f("%tY", "s");
        f("%t", 1);
        f("%tq", c);
        f("%12tF|%<-12tF|", c);
        System.out.println(String.format(Locale.GERMANY, "%,.2f %d %tB %s", 1234567.891, 1234567, c, 1.5)
            + String.format(Locale.FRANCE, "%,d %,.1f", 1234567, 9876.54).replace('\u202f', '~').replace('\u00a0', '_')
            + String.format(new Locale("ar"), "%d", 123).length() + String.format((Locale) null, "%,d", 1234)
            + String.format(new Locale("hi", "IN"), "%,d", 12345678));
        StringBuilder sb = new StringBuilder();
        Formatter fm = new Formatter(sb, Locale.US);
        fm.format("%s", "a");
        fm.format("%5.1f", 2.25);
        System.out.println(sb);
        fm.close();
        try { fm.format("x"); } catch (FormatterClosedException e) { System.out.println("closed"); }
        System.out.printf("%s %d%n", "printf", 5);
        System.out.printf(Locale.GERMANY, "%.1f%n", 1.5);
        System.out.format("%-5s|%n", "ab");
    }
}
