// Heavy use of lambdas through streams in many call shapes: megamorphic interfaces, primitives, boxing, laziness order.
import java.util.*;
import java.util.function.*;
import java.util.stream.*;

public class Streams {
    public static void main(String[] args) {
        List<String> trace = new ArrayList<>();
        int r = Stream.of(5, 3, 8, 1).peek(x -> trace.add("p" + x)).filter(x
            -> { trace.add("f" + x); return x > 2; }).map(x
            -> { trace.add("m" + x); return x * 2; }).limit(2).mapToInt(x -> x).sum();
        System.out.println(r + " " + trace);
        trace.clear();
        System.out.println(Stream.of("d", "a", "c").peek(x -> trace.add("1" + x)).sorted().peek(x
            -> trace.add("2" + x)).anyMatch(x -> x.equals("c")) + " " + trace);
        System.out.println(IntStream.rangeClosed(1,
            20).boxed().collect(Collectors.partitioningBy(x -> x % 3 == 0,
            Collectors.mapping(x -> "n" + x, Collectors.joining("|")))));
        System.out.println(Stream.iterate(new long[] {0, 1},
            p -> new long[] {p[1], p[0] + p[1]}).mapToLong(p -> p[0]).limit(50).reduce((a, b) -> b).getAsLong());
        System.out.println(Stream.iterate(1, x -> x < 500,
            x -> x * 3).map(String::valueOf).collect(Collectors.joining(",", "[", "]")));
        System.out.println(IntStream.iterate(1, x -> x * 2).takeWhile(x -> x < 1000).dropWhile(x
            -> x < 10).boxed().toList());
        Supplier<IntStream> primes = () -> IntStream.range(2,
            200).filter(n -> IntStream.rangeClosed(2, (int) Math.sqrt(n)).noneMatch(d -> n % d == 0));
        System.out.println(primes.get().count() + " " + primes.get().sum() + " " + primes.get().max().getAsInt() + " "
            + primes.get().average().getAsDouble() + " " + primes.get().summaryStatistics());
        Map<Character, List<String>> g = Stream.of("apple", "avocado", "banana", "blueberry",
            "cherry").collect(Collectors.groupingBy(s -> s.charAt(0), TreeMap::new, Collectors.toList()));
        System.out.println(g);
        System.out.println(g.entrySet().stream().flatMap(e
            -> e.getValue().stream().map(v -> e.getKey()
            + v.length())).map(Object::toString).collect(Collectors.joining(";")));
        System.out.println(Stream.of(1, 2, 3, 4).reduce(0, (a, b) -> a - b) + " "
            + Stream.of("a", "bb", "ccc").reduce(0, (n, s) -> n + s.length(), Integer::sum) + " "
            + Stream.of(1, 2, 3).collect(StringBuilder::new, (sb, x) -> sb.append(x), StringBuilder::append) + " "
            + Stream.of(3, 1, 2).max(Comparator.naturalOrder()).get() + " " + Stream.empty().findFirst() + " "
            + DoubleStream.of(1.5, 2.5).map(Math::rint).boxed().toList() + " "
            + LongStream.range(0, 5).mapToObj(Long::toString).collect(Collectors.joining()) + " "
            + Stream.of(1, 1, 2).distinct().count() + " " + Stream.of(1, 2, 3, 4, 5).skip(2).toList() + " "
            + Stream.concat(Stream.of(1), Stream.of(2)).toList() + " " + IntStream.of(3, 1, 2).sorted().boxed().toList()
            + " " + Stream.of(List.of(1), List.of(2, 3)).<Integer>mapMulti((l, c) -> l.forEach(c)).toList());
        System.out.println(Stream.of("x", "y", "z").collect(Collectors.toMap(k -> k, String::hashCode, (a, b) -> a,
            LinkedHashMap::new)) + " " + Stream.of(1, 2, 3,
            4).collect(Collectors.teeing(Collectors.summingInt(x -> x), Collectors.counting(), (s, c) -> s + "/" + c))
            + " " + Stream.of(1, 2, 3).collect(Collectors.collectingAndThen(Collectors.toList(),
            Collections::unmodifiableList)) + " " + Stream.of(1.5, 2.5).collect(Collectors.averagingDouble(x -> x))
            + " " + Stream.of("a", "b").collect(Collectors.reducing("", (a, b) -> b + a)) + " "
            + Stream.of(1, 2, 3, 4).collect(Collectors.filtering(x -> x > 2, Collectors.toSet())) + " "
            + Stream.of(1, 2).collect(Collectors.flatMapping(x -> Stream.of(x, x * 10), Collectors.toList())) + " "
            + Stream.of(5, 2).collect(Collectors.minBy(Comparator.naturalOrder())).get() + " "
            + IntStream.range(0, 5).mapToObj(i -> "k"
            + i % 2).collect(Collectors.groupingBy(Function.identity(), TreeMap::new, Collectors.counting())));
        try {
            Stream<Integer> s = Stream.of(1);
            s.count();
            s.count();
        } catch (IllegalStateException e) {
            System.out.println(e.getMessage());
        }
        try {
            Stream.of(1, 1).collect(Collectors.toMap(x -> x, x -> "v" + x));
        } catch (IllegalStateException e) {
            System.out.println(e.getMessage());
        }
        try {
            Stream.of(1, 0).map(x -> 1 / x).forEach(x -> { });
        } catch (ArithmeticException e) {
            System.out.println(e.getMessage());
        }
        List<Function<Integer, Integer>> fs = List.of(x -> x + 1, x -> x * 2, x -> x - 3, Math::abs, x -> x ^ 5,
            Integer::reverse, Integer::bitCount);
        int acc = 7;
        for (int i = 0; i < 5000; i++) acc = fs.get(i % fs.size()).apply(acc) + i;
        System.out.println(acc);
        System.out.println(IntStream.range(0, 20000).filter(x -> x % 7 != 0).mapToLong(x -> (long) x * x).map(x
            -> x % 1000).sum() + " " + IntStream.range(0,
            3000).mapToObj(x -> "s"
            + x %
            50).distinct().sorted(Comparator.comparing(String::length).thenComparing(Comparator.reverseOrder())).limit(5).toList());
        Iterator<Integer> it = Stream.generate(new Supplier<Integer>() { int n;
            public Integer get() { return n++; } }).iterator();
        it.next();
        System.out.println(it.next() + " " + StreamSupport.stream(List.of(1, 2, 3).spliterator(),
            false).map(x -> x + 1).toList() + " " + Arrays.stream(new int[][] {{1, 2},
            {3}}).flatMapToInt(Arrays::stream).boxed().toList() + " "
            + "hello".chars().mapToObj(c -> (char) c).map(String::valueOf).collect(Collectors.joining("-")) + " "
            + new Random(5).ints(5, 0, 100).boxed().toList() + " "
            + Stream.of("b", "a").sorted(Collections.reverseOrder()).toList() + " "
            + "a1b2".codePoints().filter(Character::isDigit).map(c -> c - '0').sum() + " "
            + BitSet.valueOf(new long[] {37}).stream().boxed().toList() + " " + Pattern0.p());
    }
    static class Pattern0 {
        static String p() {
            return java.util.regex.Pattern.compile(",").splitAsStream("q,w,e").collect(Collectors.joining("+"));
        }
    }
}
