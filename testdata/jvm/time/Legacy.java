// Date, Calendar, GregorianCalendar and TimeZone: fields, add and roll, leniency, cut-over, weeks, serial and conversions.
import java.time.*;
import java.util.*;

public class Legacy {
    interface T { Object run() throws Throwable; }
    static void t(String n, T r) {
        try {
            System.out.println(n + " " + r.run());
        } catch (Throwable e) {
            System.out.println(n + " !" + e.getClass().getSimpleName() + ": " + e.getMessage());
        }
    }
    static String s(Calendar c) { return String.format(Locale.US, "%tF %<tT %<tZ", c); }
    @SuppressWarnings("deprecation") public static void main(String[] args) {
        TimeZone ny = TimeZone.getTimeZone("America/New_York");
        TimeZone.setDefault(ny);
        Date d = new Date(1709210096789L);
        System.out.println(d + " " + d.getTime() + d.before(new Date(0)) + d.compareTo(new Date(0))
            + d.equals(new Date(1709210096789L)) + d.hashCode() + " " + d.getYear() + d.getMonth() + d.getDate()
            + d.getDay() + d.getHours() + d.getTimezoneOffset() + d.toGMTString() + new Date(124, 1, 30)
            + new Date("Sat, 12 Aug 1995 13:30:00 GMT").getTime() + Date.UTC(70, 0, 1, 0, 0, 0) + d.toInstant()
            + Date.from(Instant.EPOCH) + new Date(Long.MAX_VALUE));
        GregorianCalendar c = new GregorianCalendar(2024, Calendar.JANUARY, 31, 23, 30, 0);
        for (int[] fa : new int[][] {{Calendar.MONTH, 1}, {Calendar.DATE, 30}, {Calendar.YEAR, -1}, {Calendar.HOUR, 36},
            {Calendar.WEEK_OF_YEAR, -9}, {Calendar.DAY_OF_WEEK, 3}, {Calendar.MILLISECOND, -1}, {Calendar.AM_PM, 1},
            {Calendar.ERA, 0}, {Calendar.MONTH, -13}}) {
            Calendar a = (Calendar) c.clone(), r = (Calendar) c.clone();
            a.add(fa[0], fa[1]);
            r.roll(fa[0], fa[1]);
            System.out.println(fa[0] + "," + fa[1] + " " + s(a) + " | " + s(r));
        }
        StringBuilder sb = new StringBuilder();
        for (int f = 0; f < Calendar.FIELD_COUNT; f++)
            sb.append(c.get(f)).append(':').append(c.getActualMaximum(f)).append(':').append(c.getMinimum(f)).append(':').append(c.getLeastMaximum(f)).append(' ');
        System.out.println(sb);
        c.set(2023, 1, 29);
        System.out.println(s(c));
        c.clear();
        c.set(Calendar.YEAR, 2024);
        c.set(Calendar.WEEK_OF_YEAR, 10);
        c.set(Calendar.DAY_OF_WEEK, Calendar.TUESDAY);
        System.out.println(s(c) + c.isLeapYear(2000) + c.isLeapYear(1900) + c.getFirstDayOfWeek()
            + c.getMinimalDaysInFirstWeek() + c.isWeekDateSupported() + c.getWeekYear() + c.getWeeksInWeekYear());
        c.setWeekDate(2020, 53, Calendar.FRIDAY);
        System.out.println(s(c));
        c.setLenient(false);
        c.set(Calendar.MONTH, 15);
        t("strict", () -> c.getTime());
        GregorianCalendar cut = new GregorianCalendar(1582, Calendar.OCTOBER, 4);
        cut.add(Calendar.DATE, 1);
        System.out.println(s(cut) + cut.getGregorianChange().getTime() + cut.getActualMaximum(Calendar.DATE)
            + cut.getActualMaximum(Calendar.DAY_OF_YEAR));
        cut.setGregorianChange(new Date(Long.MIN_VALUE));
        System.out.println(s(cut));
        GregorianCalendar bc = new GregorianCalendar(-43, Calendar.MARCH, 15);
        System.out.println(bc.get(Calendar.ERA) + " " + bc.get(Calendar.YEAR) + bc.toZonedDateTime());
        GregorianCalendar z = GregorianCalendar.from(ZonedDateTime.of(2024, 3, 10, 1, 59, 59, 0,
            ZoneId.of("America/New_York")));
        z.add(Calendar.SECOND, 1);
        System.out.println(s(z) + z.get(Calendar.DST_OFFSET) + z.get(Calendar.ZONE_OFFSET));
        z.set(Calendar.HOUR_OF_DAY, 2);
        System.out.println(s(z));
        Calendar de = Calendar.getInstance(ny, Locale.GERMANY);
        de.setTimeInMillis(1704067200000L);
        System.out.println(de.getFirstDayOfWeek() + " " + de.get(Calendar.WEEK_OF_YEAR)
            + de.getDisplayName(Calendar.MONTH, Calendar.LONG, Locale.FRANCE)
            + new TreeMap<>(de.getDisplayNames(Calendar.DAY_OF_WEEK, Calendar.SHORT, Locale.US)) + de.getCalendarType()
            + c.compareTo(de) + de.before(cut) + new Calendar.Builder().setDate(2024, 1, 29).setTimeOfDay(1, 2,
            3).setTimeZone(TimeZone.getTimeZone("UTC")).build().getTimeInMillis());
        for (String id : new String[] {"UTC", "GMT+5:30", "Europe/Paris", "PST", "bogus", "GMT-25:00",
            "Asia/Kolkata"}) {
            TimeZone tz = TimeZone.getTimeZone(id);
            System.out.println(id + " " + tz.getID() + tz.getRawOffset() + tz.getDSTSavings() + tz.useDaylightTime()
                + tz.inDaylightTime(new Date(1720000000000L)) + tz.getOffset(1720000000000L)
                + tz.getDisplayName(Locale.US) + tz.getDisplayName(true, TimeZone.SHORT, Locale.US)
                + tz.hasSameRules(ny));
        }
        SimpleTimeZone st = new SimpleTimeZone(-28800000, "Mine", Calendar.APRIL, 1, -Calendar.SUNDAY, 7200000,
            Calendar.OCTOBER, -1, Calendar.SUNDAY, 7200000, 3600000);
        System.out.println(st.getOffset(1720000000000L) + " " + st.inDaylightTime(new Date(1700000000000L))
            + st.getID() + TimeZone.getAvailableIDs(0).length * 0);
        Calendar buddhist = Calendar.getInstance(ny, new Locale("th", "TH"));
        buddhist.setTimeInMillis(0);
        System.out.println(buddhist.getClass().getSimpleName() + buddhist.get(Calendar.YEAR));
        Calendar jp = Calendar.getInstance(ny, new Locale("ja", "JP", "JP"));
        jp.setTimeInMillis(0);
        System.out.println(jp.getCalendarType() + jp.get(Calendar.YEAR) + jp.get(Calendar.ERA));
    }
}
