// DateTimeFormatter: patterns, ISO constants, localized styles, builders, resolver styles, parse errors and their messages.
import java.time.*;
import java.time.chrono.*;
import java.time.format.*;
import java.time.temporal.*;
import java.util.*;

public class Formatters {
    interface T { Object run() throws Throwable; }
    static void t(String n, T r) {
        try {
            System.out.println(n + " " + String.valueOf(r.run()).replace('\u202f', '~').replace('\u00a0', '_'));
        } catch (Throwable e) {
            System.out.println(n + " !" + e.getClass().getSimpleName() + ": " + e.getMessage());
        }
    }
    public static void main(String[] args) {
        Locale.setDefault(Locale.US);
        ZonedDateTime z = ZonedDateTime.of(2024, 2, 9, 4, 5, 6, 78900000, ZoneId.of("Europe/Paris"));
        for (String p
            :
            "G GGGG GGGGG u uuuu y yy yyyy D DDD M MM MMM MMMM MMMMM LLLL d dd Q QQQ QQQQ Y w ww W E EEE EEEE EEEEE e c F a h hh K k H HH m s S SSS SSSSSS n N A VV z zzzz O OOOO X XX XXX XXXX x xxx Z ZZZZ ZZZZZ 'lit''eral' [HH:mm] ppppH uuuu-MM-dd'T'HH:mm:ss.SSSXXX'['VV']' B g".split(" "))
            t(p, () -> DateTimeFormatter.ofPattern(p).format(z));
        for (String p : new String[] {"b", "yyyyyyyyyyyyyyyyyyyyyy", "'x", "{", "#", "HHH", "MMMMMM", "[", "]"})
            t("bad " + p, () -> DateTimeFormatter.ofPattern(p));
        Map<String, DateTimeFormatter> iso = new LinkedHashMap<>();
        iso.put("BASIC", DateTimeFormatter.BASIC_ISO_DATE);
        iso.put("LD", DateTimeFormatter.ISO_LOCAL_DATE);
        iso.put("OD", DateTimeFormatter.ISO_OFFSET_DATE);
        iso.put("D", DateTimeFormatter.ISO_DATE);
        iso.put("LT", DateTimeFormatter.ISO_LOCAL_TIME);
        iso.put("LDT", DateTimeFormatter.ISO_LOCAL_DATE_TIME);
        iso.put("ODT", DateTimeFormatter.ISO_OFFSET_DATE_TIME);
        iso.put("ZDT", DateTimeFormatter.ISO_ZONED_DATE_TIME);
        iso.put("ORD", DateTimeFormatter.ISO_ORDINAL_DATE);
        iso.put("WEEK", DateTimeFormatter.ISO_WEEK_DATE);
        iso.put("INST", DateTimeFormatter.ISO_INSTANT);
        iso.put("RFC", DateTimeFormatter.RFC_1123_DATE_TIME);
        iso.forEach((k, f) -> { t(k, () -> f.format(z));
            t(k + " rt", () -> f.parse(f.format(z)).toString().replaceAll("\\{.*?\\}", "{}")); });
        for (Locale l : new Locale[] {Locale.US, Locale.UK, Locale.GERMANY, Locale.FRANCE, Locale.JAPAN,
            new Locale("pt", "BR"), new Locale("ar", "EG")}) for (FormatStyle s : FormatStyle.values()) {
            t(l + " " + s, () -> DateTimeFormatter.ofLocalizedDate(s).withLocale(l).format(z));
            if (s != FormatStyle.FULL && s != FormatStyle.LONG)
                t("  time", () -> DateTimeFormatter.ofLocalizedDateTime(s).withLocale(l).format(z));
        }
        for (String s : new String[] {"2024-02-29", "2023-02-29", "2024-13-01", "2024-2-1", "2024-02-29x", "",
            "+12024-01-01", "-0001-01-01", "2024-02-30"}) t("date " + s, () -> LocalDate.parse(s));
        for (String s : new String[] {"10:15", "10:15:30.123", "24:00", "10:60", "1:2"})
            t("time " + s, () -> LocalTime.parse(s));
        for (String s : new String[] {"2024-01-01T10:00", "2024-01-01 10:00", "2024-01-01T10"})
            t("dt " + s, () -> LocalDateTime.parse(s));
        t("zdt", () -> ZonedDateTime.parse("2024-07-01T10:00+02:00[Europe/Paris]"));
        t("zdt fix", () -> ZonedDateTime.parse("2024-07-01T10:00+09:00[Europe/Paris]"));
        t("rfc", () -> DateTimeFormatter.RFC_1123_DATE_TIME.parse("Tue, 3 Jun 2008 11:05:30 GMT", Instant::from));
        for (ResolverStyle rs : ResolverStyle.values())
            for (String s : new String[] {"2024-02-30", "2024-14-35", "2024-02-29"})
                t(rs + " " + s, () -> LocalDate.parse(s,
                    DateTimeFormatter.ofPattern("uuuu-MM-dd").withResolverStyle(rs)));
        t("text", () -> LocalDate.parse("5 February 2024", DateTimeFormatter.ofPattern("d MMMM uuuu", Locale.US)));
        t("text fr", () -> LocalDate.parse("5 février 2024",
            DateTimeFormatter.ofPattern("d MMMM uuuu", Locale.FRANCE)));
        t("case",
            ()
            -> new
            DateTimeFormatterBuilder().parseCaseInsensitive().appendPattern("dd-MMM-uuuu").toFormatter(Locale.US).parse("05-fEB-2024",
            LocalDate::from));
        t("default", () -> LocalDateTime.parse("2024",
            new DateTimeFormatterBuilder().appendPattern("uuuu").parseDefaulting(ChronoField.MONTH_OF_YEAR,
            3).parseDefaulting(ChronoField.DAY_OF_MONTH, 4).parseDefaulting(ChronoField.HOUR_OF_DAY, 5).toFormatter()));
        t("reduced", () -> LocalDate.parse("240301",
            new DateTimeFormatterBuilder().appendValueReduced(ChronoField.YEAR, 2, 2,
            1950).appendPattern("MMdd").toFormatter()));
        t("optional", () -> DateTimeFormatter.ofPattern("uuuu-MM-dd[ HH:mm]").parseBest("2024-01-01",
            LocalDateTime::from, LocalDate::from));
        t("optional2", () -> DateTimeFormatter.ofPattern("uuuu-MM-dd[ HH:mm]").parseBest("2024-01-01 10:20",
            LocalDateTime::from, LocalDate::from));
        t("builder", () -> new DateTimeFormatterBuilder().appendLiteral("<").appendFraction(ChronoField.NANO_OF_SECOND,
            0, 9, true).padNext(6, '*').appendValue(ChronoField.HOUR_OF_DAY).appendText(ChronoField.DAY_OF_WEEK,
            Map.of(5L, "FIVE")).appendOffset("+HHMM",
            "none").optionalStart().appendZoneRegionId().toFormatter().format(z));
        t("toString", () -> new DateTimeFormatterBuilder().appendPattern("uuuu[-MM]").appendLiteral('x').toFormatter());
        t("unsupported", () -> DateTimeFormatter.ofPattern("HH").format(LocalDate.EPOCH));
        t("no zone", () -> DateTimeFormatter.ISO_INSTANT.format(LocalDateTime.MIN));
        t("with zone",
            () -> DateTimeFormatter.ISO_LOCAL_DATE_TIME.withZone(ZoneId.of("Asia/Tokyo")).format(Instant.EPOCH));
        t("am", () -> LocalTime.parse("12:30 AM", DateTimeFormatter.ofPattern("hh:mm a", Locale.US)));
        t("conflict", () -> LocalDate.parse("Mon 2024-02-29",
            DateTimeFormatter.ofPattern("EEE uuuu-MM-dd", Locale.US)));
        t("chrono",
            () -> DateTimeFormatter.ofPattern("G y-MM-dd").withChronology(ThaiBuddhistChronology.INSTANCE).format(z));
        t("japanese", () -> DateTimeFormatter.ofPattern("GGGGy年M月d日",
            Locale.JAPAN).format(JapaneseDate.of(2024, 2, 9)));
        t("symbols", () -> DateTimeFormatter.ofPattern("HH:mm").withDecimalStyle(DecimalStyle.of(new Locale("ar",
            "EG"))).format(z).length());
        t("leap", () -> DateTimeFormatter.ISO_INSTANT.parse("2016-12-31T23:59:60Z",
            DateTimeFormatter.parsedLeapSecond()));
        ParsePositionRun.run();
    }
    static class ParsePositionRun {
        static void run() {
            java.text.ParsePosition p = new java.text.ParsePosition(2);
            TemporalAccessor a = DateTimeFormatter.ISO_LOCAL_DATE.parseUnresolved("xx2024-01-01yy", p);
            System.out.println(a.getLong(ChronoField.YEAR) + " " + p.getIndex());
            p = new java.text.ParsePosition(0);
            System.out.println(DateTimeFormatter.ISO_LOCAL_DATE.parseUnresolved("zz", p) + " " + p.getErrorIndex());
        }
    }
}
