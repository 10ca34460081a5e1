// Small utilities: Base64, UUID, HexFormat, Objects, StringTokenizer, Scanner, Locale, Currency, Random streams, iterators, Formatter.
import java.nio.charset.StandardCharsets;
import java.util.*;
import java.util.function.*;
import java.util.stream.*;

public class Misc {
    interface T { Object run() throws Throwable; }
    static void t(String n, T r) {
        try {
            System.out.println(n + " " + r.run());
        } catch (Throwable e) {
            System.out.println(n + " !" + e.getClass().getSimpleName() + ": " + e.getMessage());
        }
    }
    public static void main(String[] args) throws Exception {
        byte[] all = new byte[256];
        for (int i = 0; i < 256; i++) all[i] = (byte) i;
        Base64.Encoder e = Base64.getEncoder(), u = Base64.getUrlEncoder().withoutPadding(),
            m = Base64.getMimeEncoder();
        System.out.println(e.encodeToString(all).hashCode() + " " + u.encodeToString(all).hashCode() + " "
            + m.encodeToString(all).length() + e.encodeToString("f".getBytes()) + e.encodeToString("fo".getBytes())
            + e.encodeToString("foo".getBytes()) + u.encodeToString("fo?".getBytes())
            + Arrays.equals(all, Base64.getDecoder().decode(e.encode(all)))
            + Arrays.equals(all, Base64.getMimeDecoder().decode(m.encode(all)))
            + new String(Base64.getUrlDecoder().decode("Zm8_")));
        t("b64 bad", () -> Base64.getDecoder().decode("ab*d"));
        t("b64 len", () -> Base64.getDecoder().decode("abcde"));
        t("b64 pad", () -> Base64.getDecoder().decode("ab=c"));
        System.out.println(UUID.nameUUIDFromBytes("poldet".getBytes()) + " " + new UUID(1L << 60, -1) + " "
            + UUID.fromString("1-2-3-4-5") + " " + UUID.fromString("f81d4fae-7dec-11d0-a765-00a0c91e6bf6").timestamp()
            + " " + UUID.randomUUID().version() + UUID.randomUUID().variant() + new UUID(1, 2).compareTo(new UUID(1, 3))
            + new UUID(5, 6).hashCode());
        HexFormat h = HexFormat.ofDelimiter(":").withUpperCase();
        System.out.println(h.formatHex(new byte[] {1, -1, 16}) + HexFormat.of().toHexDigits((short) 255)
            + HexFormat.fromHexDigits("ff") + Arrays.toString(h.parseHex("0A:0B")) + HexFormat.isHexDigit('g'));
        t("hex bad", () -> HexFormat.of().parseHex("zz"));
        StringTokenizer st = new StringTokenizer("a,b;c", ",;", true);
        StringBuilder sb = new StringBuilder();
        while (st.hasMoreTokens()) sb.append('[').append(st.nextToken()).append(']');
        System.out.println(sb + " " + new StringTokenizer(" x  y ").countTokens());
        Scanner sc = new Scanner("12 0x1f true 3.5e2 word 1,234 99999999999 \"q\"\nline two\n\nend");
        System.out.println(sc.nextInt() + sc.next() + sc.nextBoolean() + sc.nextDouble() + sc.next("w.*d")
            + sc.nextInt() + sc.hasNextInt() + sc.nextLong() + sc.findInLine("\"(.)\"") + sc.match().group(1)
            + sc.nextLine() + "|" + sc.nextLine() + "|" + sc.nextLine() + "|" + sc.hasNextLine() + sc.nextLine()
            + sc.hasNextLine());
        System.out.println(new Scanner("a,b, c").useDelimiter(",\\s*").tokens().toList() + " "
            + new Scanner("x1y22").findAll("\\d+").map(r -> r.group()).toList()
            + new Scanner("ff 10").useRadix(16).nextInt() + new Scanner("1,5").useLocale(Locale.GERMANY).nextDouble());
        t("mismatch", () -> new Scanner("abc").nextInt());
        t("big", () -> new Scanner("99999999999").nextInt());
        t("closed", () -> { Scanner q = new Scanner("a"); q.close(); return q.next(); });
        Random r = new Random(42);
        System.out.println(r.nextInt() + " " + r.nextInt(100) + " " + r.nextInt(5, 10) + " " + r.nextLong() + " "
            + r.nextBoolean() + " " + r.nextFloat() + " " + r.nextDouble() + " " + r.nextGaussian() + " "
            + r.nextInt(1 << 20) + " " + r.nextLong(1000L) + " " + r.ints(3).boxed().toList()
            + r.doubles(2).boxed().toList() + r.longs(2, 5, 10).boxed().toList());
        byte[] rb = new byte[7];
        r.nextBytes(rb);
        System.out.println(Arrays.toString(rb) + new SplittableRandom(9).ints(3, 0, 1000).boxed().toList()
            + new SplittableRandom(1).split().nextLong() + new SplittableRandom(5).nextDouble());
        Locale l
            = new
            Locale.Builder().setLanguage("sr").setScript("Latn").setRegion("RS").setVariant("POSIX").setExtension('x',
            "abc").build();
        System.out.println(l + " " + l.toLanguageTag() + l.getLanguage() + l.getCountry() + l.getScript()
            + Locale.forLanguageTag("en-US-u-ca-buddhist").getUnicodeLocaleType("ca")
            + Locale.FRANCE.getDisplayLanguage(Locale.ENGLISH) + Locale.GERMANY.getISO3Country()
            + Locale.JAPAN.getISO3Language() + Locale.lookup(Locale.LanguageRange.parse("fr-CA,en;q=0.5"),
            List.of(Locale.ENGLISH, Locale.FRENCH)) + Locale.getDefault() + Locale.ROOT.toString().length()
            + new Locale("iw").getLanguage() + Locale.getISOCountries().length * 0);
        t("locale bad", () -> new Locale.Builder().setLanguage("x1").build());
        System.out.println(Currency.getInstance("JPY").getDefaultFractionDigits()
            + Currency.getInstance(Locale.US).getCurrencyCode() + Currency.getInstance("EUR").getNumericCode()
            + Currency.getInstance("CHF").getDisplayName(Locale.ENGLISH));
        Iterator<Integer> it = List.of(1, 2).iterator();
        it.forEachRemaining(x -> { });
        t("exhausted", it::next);
        Enumeration<String> en = Collections.enumeration(List.of("p", "q"));
        System.out.println(en.nextElement() + Collections.list(en) + Collections.emptyIterator().hasNext());
        t("iter remove", () -> { List.of(1).iterator().remove(); return 0; });
        Comparator<String> nf = Comparator.nullsFirst(Comparator.naturalOrder());
        System.out.println(nf.compare(null, "a") + " " + nf.compare("b", "a")
            + Comparator.nullsLast(String.CASE_INSENSITIVE_ORDER).compare(null, "a")
            + Comparator.comparingInt(String::length).thenComparing(Comparator.reverseOrder()).compare("aa", "bb")
            + Comparator.comparingDouble((String s) -> s.length() / 2.0).reversed().compare("a", "bbb")
            + Map.Entry.<Integer, Integer>comparingByKey(Comparator.reverseOrder()).compare(Map.entry(1, 2),
            Map.entry(3, 4)));
        EventObject eo = new EventObject("src");
        System.out.println(eo + " " + eo.getSource());
        t("null src", () -> new EventObject(null));
        Observable0.run();
        System.out.println(Integer.toHexString(Arrays.hashCode("x".getBytes(StandardCharsets.UTF_16))) + " "
            + OptionalInt.of(3).getAsInt() + OptionalLong.empty() + new AbstractMap.SimpleEntry<>(1, "v")
            + Collections.unmodifiableCollection(new ArrayDeque<>(List.of(1))).size()
            + Collections.checkedMap(new HashMap<>(), String.class, Integer.class)
            + Collections.asLifoQueue(new ArrayDeque<>(List.of(1, 2))).peek());
        Formatter fm = new Formatter();
        fm.format("%s-%d", "a", 1).format("|%x", 255);
        System.out.println(fm + " " + fm.locale());
        ListIterator<String> li = new ArrayList<>(List.of("a", "b", "c")).listIterator();
        while (li.hasNext()) if (li.next().equals("b")) li.set("B");
        while (li.hasPrevious()) System.out.print(li.previous());
        System.out.println();
    }
    @SuppressWarnings("deprecation") static class Observable0 extends Observable {
        static void run() {
            Observable0 o = new Observable0();
            o.addObserver((src, arg) -> System.out.println("observed " + arg));
            o.notifyObservers("no");
            o.setChanged();
            o.notifyObservers("yes");
        }
    }
}
