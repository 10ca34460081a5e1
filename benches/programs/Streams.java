// Streams with lambdas: filters, maps, collectors, boxing and flattening.
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

public class Streams {
    public static void main(String[] args) {
        long sum = IntStream.range(0, 900_000).filter(i -> i % 3 == 0).mapToLong(i -> (long) i * i).sum();
        List<String> words = new ArrayList<>();
        for (int i = 0; i < 60_000; i++) {
            words.add("word" + i % 1000);
        }
        for (int round = 0; round < 2; round++) {
            Map<Integer, Long> byLength = words.stream().map(String::toUpperCase).filter(w -> !w.endsWith("7"))
                .collect(Collectors.groupingBy(String::length, Collectors.counting()));
            sum += byLength.get(7);
            sum += words.stream().distinct().sorted().skip(100).limit(50).mapToInt(String::hashCode).sum();
            sum += Stream.of(words, words).flatMap(List::stream).mapToInt(String::length).sum();
            sum += words.stream().reduce(0, (n, w) -> n * 31 + w.length(), Integer::sum);
        }
        System.out.println(sum);
    }
}
