// Zones and offsets: gaps and overlaps, transitions, rules, offsets, instants, conversions, resolution, display names.
import java.time.*;
import java.time.format.TextStyle;
import java.time.temporal.ChronoUnit;
import java.time.zone.*;
import java.util.*;

public class Zones {
    interface T { Object run() throws Throwable; }
    static void t(String n, T r) {
        try {
            System.out.println(n + " " + r.run());
        } catch (Throwable e) {
            System.out.println(n + " !" + e.getClass().getSimpleName() + ": " + e.getMessage());
        }
    }
    public static void main(String[] args) {
        ZoneId ny = ZoneId.of("America/New_York"), paris = ZoneId.of("Europe/Paris"), tokyo = ZoneId.of("Asia/Tokyo"),
            lh = ZoneId.of("Australia/Lord_Howe"), kat = ZoneId.of("Asia/Kathmandu");
        ZonedDateTime gap = ZonedDateTime.of(2024, 3, 10, 2, 30, 0, 0, ny),
            over = ZonedDateTime.of(2024, 11, 3, 1, 30, 0, 0, ny);
        System.out.println(gap + " " + over + " " + over.withLaterOffsetAtOverlap() + over.plusHours(1)
            + over.plusDays(1) + gap.minusHours(1) + gap.plusDays(-1)
            + over.withEarlierOffsetAtOverlap().plusMinutes(60));
        System.out.println(gap.withZoneSameInstant(paris) + " " + gap.withZoneSameLocal(tokyo) + gap.toInstant()
            + gap.toOffsetDateTime() + gap.toEpochSecond() + ChronoUnit.HOURS.between(gap.minusDays(1), gap.plusDays(1))
            + Duration.between(over.minusHours(2), over.plusHours(2)) + ZonedDateTime.ofInstant(Instant.EPOCH, kat)
            + ZonedDateTime.ofLocal(LocalDateTime.of(2024, 11, 3, 1, 30), ny, ZoneOffset.ofHours(-5)));
        t("strict", () -> ZonedDateTime.ofStrict(LocalDateTime.of(2024, 3, 10, 2, 30), ZoneOffset.ofHours(-5), ny));
        ZoneRules r = ny.getRules();
        System.out.println(r.getOffset(Instant.EPOCH) + " " + r.isDaylightSavings(gap.toInstant())
            + r.getStandardOffset(gap.toInstant()) + r.getDaylightSavings(gap.toInstant())
            + r.nextTransition(Instant.EPOCH) + r.previousTransition(Instant.EPOCH)
            + r.getValidOffsets(LocalDateTime.of(2024, 3, 10, 2, 30))
            + r.getValidOffsets(LocalDateTime.of(2024, 11, 3, 1, 30))
            + r.getTransition(LocalDateTime.of(2024, 11, 3, 1, 30)) + r.getTransitionRules() + r.getTransitions().size()
            * 0 + r.isFixedOffset() + r.nextTransition(Instant.parse("2040-01-01T00:00:00Z")));
        for (ZoneId z : List.of(paris, lh, ZoneId.of("Asia/Kolkata"), ZoneId.of("Pacific/Apia"),
            ZoneId.of("Africa/Cairo"), ZoneId.of("America/Sao_Paulo"))) {
            StringBuilder sb = new StringBuilder(z + "");
            Instant i = Instant.parse("2005-01-01T00:00:00Z");
            for (int k = 0; k < 3; k++) {
                ZoneOffsetTransition tr = z.getRules().nextTransition(i);
                if (tr == null) break;
                sb.append(' ').append(tr.getDateTimeBefore()).append(tr.getDuration()).append(tr.isGap());
                i = tr.getInstant();
            }
            System.out.println(sb);
        }
        System.out.println(ZoneOffset.of("+5") + " " + ZoneOffset.of("-03:30") + ZoneOffset.of("+010203")
            + ZoneOffset.ofTotalSeconds(-1) + ZoneOffset.UTC + ZoneOffset.MAX
            + ZoneOffset.ofHours(3).compareTo(ZoneOffset.UTC) + ZoneId.of("Z") + ZoneId.of("UTC+2")
            + ZoneId.of("GMT-5").normalized() + ZoneId.of("UT").getId() + ZoneId.of("EST", ZoneId.SHORT_IDS)
            + ZoneId.systemDefault() + ZoneId.getAvailableZoneIds().contains("Europe/Paris"));
        for (String bad : List.of("+19", "+1:00", "Nope/Zone", "x", "UTC+99", "", "+25:00"))
            t("zone " + bad, () -> ZoneId.of(bad));
        System.out.println(ny.getDisplayName(TextStyle.FULL, Locale.US) + " "
            + paris.getDisplayName(TextStyle.SHORT, Locale.FRANCE) + ny.getDisplayName(TextStyle.NARROW, Locale.US));
        OffsetDateTime odt = OffsetDateTime.parse("2024-01-31T10:00+02:00");
        System.out.println(odt.plusMonths(1) + " " + odt.withOffsetSameInstant(ZoneOffset.UTC)
            + odt.withOffsetSameLocal(ZoneOffset.ofHours(-8)) + odt.isEqual(odt.withOffsetSameInstant(ZoneOffset.MIN))
            + odt.compareTo(odt.withOffsetSameInstant(ZoneOffset.UTC)) + odt.atZoneSameInstant(tokyo)
            + odt.toZonedDateTime() + OffsetTime.of(1, 2, 3, 4, ZoneOffset.ofHours(9)).toEpochSecond(LocalDate.EPOCH));
        Instant i = Instant.parse("2024-02-29T12:34:56.789123456Z");
        System.out.println(i + " " + i.plusNanos(1) + i.truncatedTo(ChronoUnit.SECONDS) + i.minus(1, ChronoUnit.DAYS)
            + i.toEpochMilli() + Instant.ofEpochSecond(-1, -1) + Instant.MIN + Instant.MAX + Instant.ofEpochMilli(-1)
            + i.until(Instant.EPOCH, ChronoUnit.HOURS) + i.getNano() + i.atOffset(ZoneOffset.ofHours(1))
            + Instant.EPOCH.compareTo(i) + i.hashCode());
        t("instant months", () -> i.plus(1, ChronoUnit.MONTHS));
        t("instant parse", () -> Instant.parse("2024-02-30T00:00:00Z"));
        t("millis overflow", () -> Instant.MAX.toEpochMilli());
        Clock fixed = Clock.fixed(i, paris);
        System.out.println(fixed + " " + LocalDate.now(fixed) + ZonedDateTime.now(fixed)
            + Clock.offset(fixed, Duration.ofDays(1)).instant() + Clock.tick(fixed, Duration.ofHours(1)).instant()
            + fixed.withZone(ny).getZone() + Year.now(fixed));
        long acc = 0;
        ZonedDateTime z = ZonedDateTime.of(1970, 1, 1, 0, 0, 0, 0, ny);
        for (int k = 0; k < 1500; k++) {
            z = z.plusHours(k % 40).plusDays(k % 7);
            acc = acc * 31 + z.toEpochSecond() + z.getOffset().getTotalSeconds();
        }
        System.out.println(acc + " " + z);
    }
}
