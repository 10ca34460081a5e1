// Stream gatherers (JEP 485).
import java.util.*;
import java.util.stream.*;

class GathererPrograms {
    static <T> Gatherer<T, ?, T> everyOther() {
        return Gatherer.ofSequential(() -> new int[1], (state, element, down) -> {
            if (state[0]++ % 2 == 0) {
                return down.push(element);
            }
            return true;
        });
    }
}

public class Gatherers25 {
    public static void main(String[] args) {
        System.out.println(Stream.of(1, 2, 3, 4, 5).gather(Gatherers.windowFixed(2)).toList());
        System.out.println(Stream.of(1, 2, 3, 4).gather(Gatherers.windowSliding(3)).toList());
        System.out.println(Stream.of(1, 2, 3).gather(Gatherers.scan(() -> 0, Integer::sum)).toList());
        System.out.println(Stream.of(1, 2, 3).gather(Gatherers.fold(() -> "", (a, b) -> a + b)).toList());
        System.out.println(Stream.of("a", "b", "c", "d").gather(GathererPrograms.everyOther()).toList());
        System.out.println(Stream.of(3, 1, 2).gather(Gatherers.mapConcurrent(2, x -> x * x)).toList());
        System.out.println(IntStream.range(0, 100).boxed().parallel().gather(Gatherers.windowFixed(40)).map(List::size).toList());
        var both = GathererPrograms.<Integer>everyOther().andThen(Gatherers.windowFixed(2));
        System.out.println(Stream.iterate(1, x -> x + 1).gather(both).limit(3).toList());
    }
}
