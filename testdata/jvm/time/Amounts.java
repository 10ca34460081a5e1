// Duration and Period: parsing, printing, arithmetic, normalising, overflow, division, parts, comparison.
import java.time.*;
import java.time.temporal.*;
import java.util.*;

public class Amounts {
    interface T { Object run() throws Throwable; }
    static void t(String n, T r) {
        try {
            System.out.println(n + " " + r.run());
        } catch (Throwable e) {
            System.out.println(n + " !" + e.getClass().getSimpleName() + ": " + e.getMessage());
        }
    }
    public static void main(String[] args) {
        for (String s : new String[] {"PT0S", "PT1H30M", "P1DT2H3M4.005S", "-PT5M", "PT-1.5S", "pt1h", "P-1D",
            "PT1H-30M", "P1Y", "PT", "P", "PT1.1234567890S", "PT99999999999999999999S", "-P-1DT-1H", "+PT1S", "P1W",
            "PT1,5S", ""}) t("D " + s, () -> Duration.parse(s));
        for (String s : new String[] {"P1Y2M3D", "P1W", "-P1Y", "P1Y-2M", "P0D", "P", "PT1H", "P1.5D", "P2M1Y",
            "P99999999999D", "p1y2w"}) t("P " + s, () -> Period.parse(s));
        Duration d = Duration.ofSeconds(90061, 123456789);
        System.out.println(d + " " + d.toDays() + d.toHoursPart() + d.toMinutesPart() + d.toSecondsPart()
            + d.toMillisPart() + d.toNanosPart() + " " + d.toMillis() + d.negated() + d.negated().abs()
            + d.multipliedBy(-3) + d.dividedBy(7) + d.dividedBy(Duration.ofHours(1))
            + d.plusDays(1).minusMinutes(3).withNanos(0).withSeconds(5) + d.truncatedTo(ChronoUnit.HOURS)
            + d.compareTo(Duration.ZERO) + d.isNegative() + d.getUnits() + d.get(ChronoUnit.NANOS) + d.hashCode()
            + Duration.ofSeconds(1, -1) + Duration.ofMillis(-1) + Duration.ofNanos(-1).getSeconds()
            + Duration.ofDays(106751991167300L).toSeconds() * 0 + Duration.of(3, ChronoUnit.HALF_DAYS)
            + Duration.between(LocalTime.NOON, LocalTime.of(10, 30))
            + Duration.between(Instant.EPOCH, Instant.ofEpochSecond(5)) + d.toSeconds());
        t("overflow", () -> Duration.ofSeconds(Long.MAX_VALUE).plusSeconds(1));
        t("millis", () -> Duration.ofSeconds(Long.MAX_VALUE).toMillis());
        t("nanos", () -> Duration.ofDays(200000).toNanos());
        t("div0", () -> d.dividedBy(0));
        t("unit", () -> Duration.of(1, ChronoUnit.MONTHS));
        t("get", () -> d.get(ChronoUnit.MINUTES));
        t("between", () -> Duration.between(LocalDate.EPOCH, LocalDate.EPOCH));
        t("negmin", () -> Duration.ofSeconds(Long.MIN_VALUE).negated());
        t("trunc", () -> d.truncatedTo(ChronoUnit.FOREVER));
        Period p = Period.of(1, 14, -40);
        System.out.println(p + " " + p.normalized() + p.negated() + p.multipliedBy(2) + p.plus(Period.ofWeeks(2))
            + p.minusMonths(3) + p.withYears(0) + p.toTotalMonths() + p.isZero() + p.isNegative() + p.getUnits()
            + p.equals(Period.of(2, 2, -40)) + Period.between(LocalDate.of(2024, 1, 31), LocalDate.of(2024, 3, 1))
            + Period.between(LocalDate.of(2024, 3, 1), LocalDate.of(2023, 1, 31))
            + Period.between(LocalDate.of(2024, 2, 29), LocalDate.of(2028, 2, 28)) + p.addTo(LocalDate.of(2024, 1, 31))
            + Period.from(Period.ofDays(3)) + Period.ZERO);
        t("P overflow", () -> Period.ofDays(Integer.MAX_VALUE).plusDays(1));
        t("P from", () -> Period.from(Duration.ofDays(1)));
        t("P addTo", () -> p.addTo(LocalTime.NOON));
        t("D addTo", () -> d.addTo(LocalDate.EPOCH));
        for (ChronoUnit u : ChronoUnit.values())
            System.out.print(u + "=" + u.getDuration() + u.isDateBased() + u.isTimeBased() + u.isDurationEstimated()
                + " ");
        System.out.println();
        System.out.println(ChronoUnit.WEEKS.between(LocalDate.of(2024, 1, 1), LocalDate.of(2024, 12, 31)) + " "
            + java.util.concurrent.TimeUnit.DAYS.toMillis(3)
            + java.util.concurrent.TimeUnit.NANOSECONDS.convert(Duration.ofSeconds(2))
            + java.util.concurrent.TimeUnit.MILLISECONDS.toChronoUnit()
            + java.util.concurrent.TimeUnit.SECONDS.convert(Long.MAX_VALUE, java.util.concurrent.TimeUnit.DAYS)
            + java.util.concurrent.TimeUnit.HOURS.toDays(49) + ValueRange.of(1, 28, 31)
            + ValueRange.of(1, 5).isValidValue(6));
        t("range", () -> ValueRange.of(5, 1));
        t("check", () -> ValueRange.of(1, 5).checkValidValue(9, ChronoField.DAY_OF_WEEK));
    }
}
