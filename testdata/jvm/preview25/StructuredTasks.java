// jvm: --enable-preview
// Structured concurrency (JEP 505, fifth preview).
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.StructuredTaskScope.*;

public class StructuredTasks {
    static final ScopedValue<String> NAME = ScopedValue.newInstance();

    public static void main(String[] args) throws Exception {
        try (var scope = StructuredTaskScope.open()) {
            Subtask<String> a = scope.fork(() -> "left");
            Subtask<Integer> b = scope.fork(() -> 42);
            scope.join();
            System.out.println(a.get() + b.get() + " " + a.state());
        }
        try (var scope = StructuredTaskScope.open()) {
            scope.fork(() -> {
                throw new IllegalStateException("failed");
            });
            Subtask<String> other = scope.fork(() -> {
                Thread.sleep(100_000);
                return "never";
            });
            try {
                scope.join();
            } catch (FailedException e) {
                System.out.println(e.getCause().getMessage() + " " + other.state());
            }
        }
        try (var scope = StructuredTaskScope.open(Joiner.<String>anySuccessfulResultOrThrow())) {
            scope.fork(() -> {
                Thread.sleep(50_000);
                return "slow";
            });
            scope.fork(() -> "fast");
            System.out.println(scope.join());
        }
        try (var scope = StructuredTaskScope.open(Joiner.<Integer>allSuccessfulOrThrow(), c -> c.withName("named"))) {
            for (int i = 0; i < 5; i++) {
                int n = i;
                scope.fork(() -> n * n);
            }
            System.out.println(scope.join().map(Subtask::get).toList());
        }
        ScopedValue.where(NAME, "inherited").run(() -> {
            try (var scope = StructuredTaskScope.open()) {
                Subtask<String> task = scope.fork(() -> NAME.get());
                scope.join();
                System.out.println(task.get());
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        });
        try (var scope = StructuredTaskScope.open(Joiner.awaitAll(), c -> c.withTimeout(java.time.Duration.ofMillis(20)))) {
            scope.fork(() -> {
                Thread.sleep(100_000);
                return 1;
            });
            try {
                scope.join();
            } catch (StructuredTaskScope.TimeoutException e) {
                System.out.println("timeout");
            }
        }
    }
}
