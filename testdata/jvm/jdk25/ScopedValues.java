// Scoped values (JEP 506).
import java.util.*;
import java.util.concurrent.*;

public class ScopedValues {
    static final ScopedValue<String> USER = ScopedValue.newInstance();
    static final ScopedValue<Integer> DEPTH = ScopedValue.newInstance();

    static int recurse(int n) {
        if (n == 0) {
            return DEPTH.get();
        }
        return ScopedValue.where(DEPTH, DEPTH.orElse(0) + 1).call(() -> recurse(n - 1));
    }

    public static void main(String[] args) throws Exception {
        System.out.println(USER.isBound() + " " + USER.orElse("nobody"));
        try {
            USER.get();
        } catch (NoSuchElementException e) {
            System.out.println("unbound " + e.getMessage());
        }
        ScopedValue.where(USER, "alice").run(() -> {
            for (int i = 0; i < 1000; i++) {
                if (!USER.get().equals("alice")) {
                    throw new AssertionError();
                }
            }
            System.out.println(USER.get());
            ScopedValue.where(USER, "bob").where(DEPTH, 7).run(() -> System.out.println(USER.get() + DEPTH.get()));
            System.out.println(USER.get() + " " + DEPTH.isBound());
            Thread t = new Thread(() -> System.out.println("other thread " + USER.isBound()));
            t.start();
            try {
                t.join();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        });
        System.out.println(USER.isBound() + " " + recurse(200));
        String result = ScopedValue.where(USER, "carol").call(() -> USER.get().toUpperCase());
        System.out.println(result);
        try {
            ScopedValue.where(USER, "dave").run(() -> {
                throw new IllegalStateException(USER.get());
            });
        } catch (IllegalStateException e) {
            System.out.println(e.getMessage() + USER.isBound());
        }
        Thread v = Thread.ofVirtual().start(() -> ScopedValue.where(USER, "virtual").run(() -> {
            for (int i = 0; i < 10; i++) {
                Thread.yield();
                if (!USER.get().equals("virtual")) {
                    System.out.println("lost");
                }
            }
            System.out.println(USER.get());
        }));
        v.join();
        try {
            ScopedValue.where(USER, "deep").run(() -> overflow(0));
        } catch (StackOverflowError e) {
            System.out.println("overflow " + USER.isBound());
        }
        List<ScopedValue<Integer>> many = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            many.add(ScopedValue.newInstance());
        }
        ScopedValue.Carrier carrier = ScopedValue.where(many.get(0), 0);
        for (int i = 1; i < 40; i++) {
            carrier = carrier.where(many.get(i), i);
        }
        System.out.println(carrier.get(many.get(20)));
        carrier.run(() -> {
            int sum = 0;
            for (int round = 0; round < 50; round++) {
                for (ScopedValue<Integer> s : many) {
                    sum += s.get();
                }
            }
            System.out.println(sum);
        });
    }

    static int overflow(int n) {
        return overflow(n + 1) + USER.get().length();
    }
}
