// LocalDate, LocalTime, LocalDateTime, Year, YearMonth, MonthDay, DayOfWeek: arithmetic, adjusters, ranges, errors.
import java.time.*;
import java.time.chrono.*;
import java.time.temporal.*;
import java.util.*;

public class LocalDates {
    interface T { Object run() throws Throwable; }
    static void t(String n, T r) {
        try {
            System.out.println(n + " " + r.run());
        } catch (Throwable e) {
            System.out.println(n + " !" + e.getClass().getSimpleName() + ": " + e.getMessage());
        }
    }
    public static void main(String[] args) {
        LocalDate d = LocalDate.of(2024, 2, 29);
        System.out.println(d + " " + d.plusYears(1) + d.plusMonths(12) + d.minusDays(60) + d.plusWeeks(-5)
            + d.getDayOfWeek() + d.getDayOfYear() + d.isLeapYear() + d.lengthOfMonth() + d.withDayOfMonth(1)
            + d.withMonth(4) + d.withYear(2023) + d.withDayOfYear(366) + d.toEpochDay() + LocalDate.ofEpochDay(-1)
            + LocalDate.ofYearDay(2023, 365) + d.atStartOfDay() + d.until(LocalDate.of(2025, 4, 1))
            + d.compareTo(LocalDate.MIN) + d.isBefore(LocalDate.MAX) + LocalDate.MIN + LocalDate.MAX + d.hashCode());
        for (TemporalAdjuster a : List.of(TemporalAdjusters.firstDayOfMonth(), TemporalAdjusters.lastDayOfYear(),
            TemporalAdjusters.firstDayOfNextMonth(), TemporalAdjusters.next(DayOfWeek.THURSDAY),
            TemporalAdjusters.nextOrSame(DayOfWeek.THURSDAY), TemporalAdjusters.previous(DayOfWeek.MONDAY),
            TemporalAdjusters.dayOfWeekInMonth(2, DayOfWeek.FRIDAY), TemporalAdjusters.lastInMonth(DayOfWeek.SUNDAY),
            TemporalAdjusters.firstInMonth(DayOfWeek.TUESDAY))) System.out.print(d.with(a) + " ");
        System.out.println();
        for (ChronoUnit u : List.of(ChronoUnit.DAYS, ChronoUnit.WEEKS, ChronoUnit.MONTHS, ChronoUnit.YEARS,
            ChronoUnit.DECADES, ChronoUnit.CENTURIES)) System.out.print(u + "="
            + u.between(LocalDate.of(1899, 12, 31), d) + "," + d.plus(3, u) + " ");
        System.out.println();
        for (ChronoField f : ChronoField.values())
            if (d.isSupported(f)) System.out.print(f + "=" + d.getLong(f) + d.range(f) + " ");
        System.out.println();
        System.out.println(d.get(IsoFields.QUARTER_OF_YEAR) + " " + d.get(IsoFields.WEEK_OF_WEEK_BASED_YEAR)
            + d.get(IsoFields.WEEK_BASED_YEAR) + d.get(IsoFields.DAY_OF_QUARTER) + d.getLong(JulianFields.JULIAN_DAY)
            + d.get(WeekFields.of(Locale.US).weekOfYear()) + d.get(WeekFields.ISO.dayOfWeek())
            + d.with(IsoFields.QUARTER_OF_YEAR, 4) + IsoFields.QUARTER_YEARS.between(d, LocalDate.of(2025, 3, 1))
            + WeekFields.of(Locale.FRANCE) + LocalDate.of(2021, 1, 3).get(IsoFields.WEEK_OF_WEEK_BASED_YEAR));
        LocalTime lt = LocalTime.of(23, 59, 59, 999_999_999);
        System.out.println(lt + " " + lt.plusNanos(1) + lt.minusHours(25) + lt.truncatedTo(ChronoUnit.MINUTES)
            + LocalTime.MIDNIGHT + LocalTime.NOON + LocalTime.of(5, 0) + LocalTime.of(5, 0, 30)
            + LocalTime.ofSecondOfDay(3661) + lt.toNanoOfDay() + lt.get(ChronoField.AMPM_OF_DAY)
            + lt.get(ChronoField.CLOCK_HOUR_OF_AMPM) + lt.until(LocalTime.MIN, ChronoUnit.SECONDS)
            + LocalTime.of(1, 2, 3, 4000000) + LocalTime.of(1, 2, 3, 4000));
        LocalDateTime ldt = LocalDateTime.of(2024, Month.DECEMBER, 31, 23, 30);
        System.out.println(ldt + " " + ldt.plusHours(1) + ldt.plusSeconds(-86400 * 400L) + ldt.toLocalDate()
            + ldt.toLocalTime() + ldt.truncatedTo(ChronoUnit.DAYS) + ldt.toEpochSecond(ZoneOffset.UTC)
            + LocalDateTime.ofEpochSecond(0, 5, ZoneOffset.ofHours(2)) + ldt.isAfter(LocalDateTime.MIN)
            + ChronoUnit.HOURS.between(ldt, ldt.plusDays(3)) + ldt.plus(Duration.ofMinutes(45)).plus(Period.ofMonths(2))
            + ldt.with(LocalTime.NOON));
        t("feb 30", () -> LocalDate.of(2024, 2, 30));
        t("feb 29", () -> LocalDate.of(2023, 2, 29));
        t("month 13", () -> LocalDate.of(2023, 13, 1));
        t("day 366", () -> LocalDate.ofYearDay(2023, 366));
        t("hour 24", () -> LocalTime.of(24, 0));
        t("overflow", () -> LocalDate.MAX.plusDays(1));
        t("unit", () -> LocalTime.NOON.plus(1, ChronoUnit.DAYS));
        t("unit2", () -> LocalDate.EPOCH.plus(1, ChronoUnit.HOURS));
        t("field", () -> LocalDate.EPOCH.get(ChronoField.HOUR_OF_DAY));
        t("field big", () -> LocalDate.EPOCH.get(ChronoField.EPOCH_DAY));
        t("from", () -> LocalDate.from(LocalTime.NOON));
        t("null", () -> LocalDate.of(2024, null, 1));
        t("with", () -> LocalDate.EPOCH.with(ChronoField.MONTH_OF_YEAR, 0));
        System.out.println(Year.of(2024).isLeap() + " " + Year.isLeap(1900) + Year.of(2024).atDay(60)
            + Year.parse("-0044").plusYears(50) + YearMonth.of(2024, 2).atEndOfMonth()
            + YearMonth.of(2024, 12).plusMonths(1) + YearMonth.parse("2024-03").lengthOfMonth()
            + MonthDay.of(2, 29).atYear(2023) + MonthDay.of(2, 29).isValidYear(2023) + DayOfWeek.MONDAY.minus(1)
            + DayOfWeek.of(7) + Month.JANUARY.plus(14) + Month.FEBRUARY.maxLength() + Month.MARCH.firstDayOfYear(true)
            + Month.of(5).firstMonthOfQuarter() + DayOfWeek.FRIDAY.getDisplayName(java.time.format.TextStyle.SHORT,
            Locale.GERMANY) + Month.MAY.getDisplayName(java.time.format.TextStyle.FULL, Locale.FRANCE));
        System.out.println(LocalDate.of(2024, 1, 1).datesUntil(LocalDate.of(2024, 1, 20), Period.ofDays(5)).toList()
            + " " + d.query(TemporalQueries.precision()) + d.query(TemporalQueries.chronology())
            + lt.query(TemporalQueries.localDate()) + IsoEra.CE + d.getEra());
        System.out.println(JapaneseDate.from(d) + " " + ThaiBuddhistDate.from(d) + MinguoDate.from(d)
            + HijrahDate.from(d) + JapaneseDate.of(JapaneseEra.SHOWA, 60, 1, 1).plus(10, ChronoUnit.YEARS)
            + IsoChronology.INSTANCE.isLeapYear(2000)
            + Chronology.of("ThaiBuddhist").dateNow(Clock.fixed(Instant.EPOCH, ZoneOffset.UTC))
            + HijrahDate.of(1445, 9, 1).lengthOfMonth());
        t("minguo", () -> MinguoDate.of(113, 2, 30));
        long acc = 0;
        LocalDate x = LocalDate.of(1583, 1, 1);
        for (int i = 0; i < 2000; i++) {
            x = x.plusDays(97).plusMonths(i % 3);
            acc = acc * 31 + x.toEpochDay() + x.getDayOfWeek().getValue();
        }
        System.out.println(acc + " " + x);
    }
}
