import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** Every kind of statement there is: each of them is deleted in turn, and what the program prints then is compared. */
public class Statements {
    static int shared;
    static String name = "field";
    static final List<String> LOG = new ArrayList<>();

    static int steps;

    static void log(Object what) {
        step();
        LOG.add(String.valueOf(what));
    }

    /** Ends what has become endless. */
    static boolean step() {
        if (++steps > 1_000) {
            throw new IllegalStateException("endless");
        }
        return true;
    }

    static boolean yes(String what) {
        log(what);
        return true;
    }

    static int next() {
        return ++shared;
    }

    static void simple() {
        int a = 1, b = next();
        int unused = next(), other = next();
        int c;
        c = a + b;
        c += 2;
        c++;
        log(c);
        ;
        final int constant = 7;
        log("after" + shared);
    }

    static void shadows() {
        String name = "local";
        log(name);
        name = "changed";
        log(name);
    }

    static void loops() {
        for (int i = 0, j = 10; step() && i < 3; i++, j--) {
            log(i + j);
            if (i == 1) continue;
            shared += i;
        }
        for (String s : List.of("x", "y")) log(s);
        for (int n : new int[] {1, 2}) {
            log(n);
        }
        int w = 0;
        while (step() && w < 3) {
            w++;
            if (w == 2) break;
        }
        do {
            shared--;
            w += 2;
        } while (step() && w < 6);
        outer:
        for (;;) {
            for (int k = 0; ; k++) {
                if (step() && k > 3) break outer;
                if (k == 2) continue;
                log(k);
            }
        }
        log(w);
    }

    static void branches(boolean yes) {
        if (yes) {
            log("then");
            shared = 4;
        } else {
            log("else");
        }
        if (!yes) log("no"); else log("yes");
        if (yes && shared > 2) shared = 2;
        if (yes) {
            log("early");
            return;
        }
        log("late");
    }

    static void tries() {
        try {
            log("try");
            Integer.parseInt("x");
            log("not here");
        } catch (NumberFormatException e) {
            log("caught");
        } finally {
            log("finally");
            shared++;
        }
        try {
            try {
                shared += 10;
                if (shared > 0) throw new IllegalStateException("inner");
            } finally {
                log("inner finally");
                shared *= 2;
            }
        } catch (IllegalStateException e) {
            log(e.getMessage());
        }
        log(resources());
        log(returning(3));
    }

    static String resources() {
        try (AutoCloseable first = () -> log("close 1"); AutoCloseable second = () -> { log("close 2"); }) {
            log("body");
            log("still");
        } catch (Exception e) {
            log(e);
        }
        return "resources";
    }

    static int returning(int n) {
        try {
            n++;
            if (n > 2) {
                log("returns");
                return n;
            }
            log("goes on");
        } finally {
            log("last");
            shared += n;
        }
        return -n;
    }

    static void switches(int which, String text) {
        switch (which) {
            case 1:
                log("one");
                shared = 1;
                break;
            case 2:
                log("two");
            default:
                log("default");
        }
        switch (text) {
            case "a" -> log("A");
            case "b" -> {
                log("B");
                shared += 3;
            }
            default -> log("?");
        }
        int value = switch (which) {
            case 1 -> {
                log("value");
                yield 5;
            }
            default -> {
                int twice = which * 2;
                yield twice;
            }
        };
        log(value);
    }

    static void lambdas() {
        Runnable run = () -> {
            log("run");
            shared += 5;
        };
        run.run();
        Supplier<Integer> supply = () -> {
            int x = shared;
            shared = 0;
            return x + 1;
        };
        log(supply.get());
        List<String> list = new ArrayList<>(List.of("q", "p"));
        list.sort((a, b) -> {
            log("compare");
            return a.compareTo(b);
        });
        log(list);
        new Object() {
            void inner() {
                log("anonymous");
            }
        }.inner();
        class Local {
            int twice(int n) {
                return n * 2;
            }
        }
        log(new Local().twice(4));
    }

    static void others(Object o) {
        synchronized (LOG) {
            log("held");
            shared++;
        }
        if (!(o instanceof String s)) {
            return;
        }
        log(s.length());
        {
            int inBlock = 3;
            log(inBlock);
        }
        if (false) {
            log("never");
        }
        String nothing = null;
        try {
            nothing = "not null";
            log(nothing.length());
        } catch (NullPointerException e) {
            log(e.getMessage());
        }
        throw new IllegalStateException("end");
    }

    static int found(int[] numbers) {
        for (int n : numbers) {
            if (n > 2) {
                return n;
            }
        }
        return 0;
    }

    static int unreachable() {
        while (true) {
            shared++;
            if (shared > 1000) break;
            shared *= 3;
        }
        return shared;
    }

    static void attempt(String what, Runnable body) {
        LOG.clear();
        shared = 1;
        steps = 0;
        try {
            body.run();
        } catch (RuntimeException e) {
            steps = 0;
            log(e);
        }
        System.out.println(what + " " + shared + " " + LOG);
    }

    public static void main(String[] args) {
        for (int round = 0; round < 3; round++) {
            attempt("simple", () -> simple());
            attempt("shadows", () -> shadows());
            attempt("loops", () -> loops());
            attempt("branches", () -> branches(true));
            attempt("branches", () -> branches(false));
            attempt("tries", () -> tries());
            attempt("switches", () -> switches(1, "a"));
            attempt("switches", () -> switches(2, "b"));
            attempt("lambdas", () -> lambdas());
            attempt("others", () -> others("text"));
            attempt("others", () -> others(1));
            attempt("found", () -> log(found(new int[] {1, 2, 3})));
            attempt("unreachable", () -> log(unreachable()));
        }
    }
}
