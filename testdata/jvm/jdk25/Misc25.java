// Smaller additions of 22 to 25.
import java.time.*;
import java.util.*;
import java.util.concurrent.*;
import java.util.stream.*;

public class Misc25 {
    static class Base {
        final int n;
        Base(int n) {
            this.n = n;
        }
    }

    static class Derived extends Base {
        final String text;

        // Flexible constructor bodies (JEP 513).
        Derived(int n) {
            if (n < 0) {
                throw new IllegalArgumentException("negative");
            }
            text = "set before super";
            super(n * 2);
        }
    }

    public static void main(String[] args) throws Exception {
        System.out.println(new Derived(2).n + " " + new Derived(3).text);
        try {
            new Derived(-1);
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
        int used = 0;
        for (String _ : List.of("a", "b")) {
            used++;
        }
        Object o = Map.entry("k", 1);
        if (o instanceof Map.Entry<?, ?> e) {
            System.out.println(used + " " + e.getKey());
        }
        try {
            Integer.parseInt("x");
        } catch (NumberFormatException _) {
            System.out.println("unnamed");
        }
        System.out.println(Duration.ofMinutes(90) + " " + Instant.EPOCH.until(Instant.ofEpochSecond(60)));
        System.out.println(new Thread(() -> { }).getState() + " " + Thread.currentThread().threadId());
        ForkJoinPool pool = new ForkJoinPool(2);
        System.out.println(pool.submit(() -> IntStream.range(0, 100).sum()).join());
        pool.close();
        System.out.println("a-b".splitWithDelimiters("-", 0).length + " " + "%d %s".formatted(1, List.of(2)));
        System.out.println(Stream.of(1, 2, 3).mapMulti((Integer i, java.util.function.Consumer<Object> c) -> {
            c.accept(i);
            c.accept(-i);
        }).toList());
        List<String> names = StackWalker.getInstance().walk(s -> s.map(f -> f.getMethodName()).toList());
        System.out.println(names);
        System.out.println(Reader().readAllAsString() + " " + CharSequence.compare("a", "b"));
        Runtime.Version v = Runtime.version();
        System.out.println(v.feature() >= 25);
    }

    static java.io.Reader Reader() {
        return java.io.Reader.of("of chars");
    }
}
