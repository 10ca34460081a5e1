// Collectors and stream operations in depth: flags, ordering, short-circuit, infinite, custom collectors and spliterators.
import java.util.*;
import java.util.function.*;
import java.util.stream.*;

public class Streams0 {
    record Emp(String name, String dept, int pay, int age) { }
    static final List<Emp> E = List.of(new Emp("ann", "it", 50, 30), new Emp("bob", "it", 60, 40),
        new Emp("cid", "hr", 40, 35), new Emp("dan", "hr", 45, 50), new Emp("eve", "ops", 70, 28));
    interface T { Object run() throws Throwable; }
    static void t(String n, T r) {
        try {
            System.out.println(n + " " + r.run());
        } catch (Throwable e) {
            System.out.println(n + " !" + e.getClass().getSimpleName() + ": " + e.getMessage());
        }
    }
    public static void main(String[] args) {
        System.out.println("" + E.stream().collect(Collectors.groupingBy(Emp::dept, TreeMap::new,
            Collectors.averagingInt(Emp::pay))));
        System.out.println("" + E.stream().collect(Collectors.groupingBy(Emp::dept, TreeMap::new,
            Collectors.mapping(Emp::name, Collectors.joining("/")))));
        System.out.println(E.stream().collect(Collectors.partitioningBy(e -> e.age() > 34, Collectors.counting())) + " "
            + E.stream().collect(Collectors.summarizingInt(Emp::pay)) + " "
            + E.stream().collect(Collectors.summarizingDouble(e -> e.pay() / 3.0)));
        System.out.println(E.stream().collect(Collectors.toMap(Emp::dept, Emp::pay, Integer::sum, TreeMap::new)) + " "
            + E.stream().collect(Collectors.groupingBy(Emp::dept, TreeMap::new,
            Collectors.maxBy(Comparator.comparing(Emp::pay)))).values().stream().map(o -> o.get().name()).toList() + " "
            + E.stream().sorted(Comparator.comparing(Emp::dept).thenComparing(Emp::pay,
            Comparator.reverseOrder())).map(Emp::name).toList() + " "
            + E.stream().map(Emp::pay).reduce(1, (a, b) -> a * b % 1000) + " "
            + E.stream().collect(Collectors.teeing(Collectors.minBy(Comparator.comparing(Emp::age)),
            Collectors.maxBy(Comparator.comparing(Emp::age)), (a, b) -> a.get().name() + b.get().name())) + " "
            + E.stream().collect(Collectors.collectingAndThen(Collectors.toList(), List::size))
            + E.stream().collect(Collectors.groupingBy(Emp::dept, TreeMap::new,
            Collectors.filtering(e -> e.pay() > 45, Collectors.mapping(Emp::name, Collectors.toList())))));
        Collector<String, StringJoiner, String> col = Collector.of(() -> new StringJoiner("+", "{", "}"),
            StringJoiner::add, StringJoiner::merge, StringJoiner::toString);
        System.out.println(Stream.of("a", "b").collect(col) + col.characteristics()
            + Stream.<String>empty().collect(col));
        System.out.println(IntStream.range(0, 20).boxed().collect(Collectors.groupingBy(x -> x % 3,
            Collectors.groupingBy(x -> x % 2, Collectors.summingInt(x -> x)))));
        t("infinite", () -> Stream.iterate(1, x -> x + 1).filter(x -> x % 97 == 0).findFirst().get());
        t("limit before sort", () -> Stream.generate(new Random(1)::nextInt).limit(3).sorted().toList());
        t("toList immutable", () -> Stream.of(1).toList().add(2));
        t("toList null", () -> Stream.of(1, null).toList());
        t("toUnmodifiable null", () -> Stream.of(1, null).collect(Collectors.toUnmodifiableList()));
        t("findFirst null", () -> Stream.of((Object) null).findFirst());
        t("reuse", () -> { Stream<Integer> s = Stream.of(1); s.map(x -> x); return s.count(); });
        t("neg limit", () -> Stream.of(1).limit(-1));
        t("close", () -> { int[] n = {0}; try (Stream<Integer> s = Stream.of(1).onClose(() -> n[0]++).map(x -> x)) {
            s.count(); } return n[0]; });
        List<String> log = new ArrayList<>();
        Stream.of(3, 1, 2).peek(x -> log.add("a" + x)).sorted().peek(x -> log.add("b" + x)).limit(2).forEach(x
            -> log.add("c" + x));
        System.out.println(log);
        log.clear();
        System.out.println(Stream.of(1, 2, 3).peek(x -> log.add("" + x)).count() + " " + log + " "
            + Stream.of(1, 2, 3).flatMap(x -> Stream.iterate(x, y -> y + 1).limit(x)).toList()
            + Stream.of(1, 2, 3, 4, 5).takeWhile(x -> x < 4).dropWhile(x -> x < 2).toList()
            + IntStream.rangeClosed(5, 1).count() + IntStream.of(1, 2, 3).mapToObj(x -> "x".repeat(x)).toList()
            + IntStream.concat(IntStream.of(1), IntStream.of(2)).boxed().toList()
            + Stream.of("b", "a", "b").distinct().sorted().toList() + IntStream.range(0, 5).asDoubleStream().sum()
            + DoubleStream.of(0.1, 0.2, 0.3, 1e16, -1e16).sum() + LongStream.of(3, 4).average().getAsDouble()
            + OptionalInt.empty() + IntStream.empty().max() + Stream.of(1, 2).noneMatch(x -> x > 2));
        Spliterator<Integer> custom = new Spliterators.AbstractSpliterator<>(5, Spliterator.ORDERED) {
            int n;
            @Override public boolean tryAdvance(Consumer<? super Integer> c) {
                if (n >= 5) return false;
                c.accept(n++ * 11);
                return true;
            }
        };
        System.out.println(StreamSupport.stream(custom, false).map(x -> x + 1).toList() + " "
            + Stream.builder().add(1).add("two").build().toList() + Stream.ofNullable(null).count()
            + Arrays.toString(Stream.of(1, 2).toArray()) + Arrays.toString(Stream.of("q").toArray(String[]::new))
            + Stream.of(5, 3).sorted(Comparator.comparing(x -> -x)).iterator().next()
            + "abcabc".chars().distinct().mapToObj(c -> "" + (char) c).collect(Collectors.joining())
            + new StringJoiner(",", "<", ">").setEmptyValue("EMPTY")
            + new StringJoiner("-").add("a").add("b").length());
        IntSummaryStatistics st = new IntSummaryStatistics();
        st.accept(5);
        st.combine(new IntSummaryStatistics(1, 2, 2, 2));
        System.out.println(st + " " + new LongSummaryStatistics() + new DoubleSummaryStatistics().getAverage());
        System.out.println(IntStream.range(0, 1000).mapToObj(i -> i % 17
            + "").collect(Collectors.groupingBy(x -> x, () -> new TreeMap<>(Comparator.comparing(Integer::parseInt)),
            Collectors.counting())).values().stream().mapToLong(x -> x).sum() + " "
            + Stream.of(Optional.of(1), Optional.<Integer>empty()).flatMap(Optional::stream).toList()
            + Optional.of(5).map(x -> x * 2).filter(x -> x > 5).or(() -> Optional.of(0)).get()
            + Optional.empty().isPresent() + Optional.ofNullable(null).orElseGet(() -> "g")
            + Optional.of(1).equals(Optional.of(1)) + Optional.of("z") + OptionalDouble.of(1.5)
            + Optional.empty().hashCode());
        Optional.of(3).ifPresentOrElse(x -> System.out.println("has " + x), () -> System.out.println("none"));
        t("orElseThrow", () -> Optional.empty().orElseThrow(() -> new IllegalStateException("custom")));
        PrimitiveIterator.OfInt pi = IntStream.range(0, 3).iterator();
        int sum = 0;
        while (pi.hasNext()) sum += pi.nextInt();
        System.out.println(sum);
    }
}
