// Initialised by the test that counts.
package touch;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

public class Counter {
    static int count = start();
    static final Map<String, Integer> table = new HashMap<>(Map.of("first", 1));

    private static int start() {
        return 100;
    }

    static int next() {
        return ++count; //~ POLLUTES touch.FirstTouchTest#raises changed touch.Counter.count: 100 -> 101; counter, first touch
    }

    /** Not touched after its initialiser. */
    static class Quiet {
        static final List<String> names = new ArrayList<>(List.of("a"));
        static int made = 3;
        static final int[] squares = new int[10];

        static {
            for (int i = 0; i < squares.length; i++) {
                squares[i] = i * i;
            }
            made++;
        }
    }

    /** Its initialiser writes to what was there before: that is the test's doing. */
    static class Loud {
        static {
            Before.loaded.add("Loud"); //~ POLLUTES touch.FirstTouchTest#initialiserWritesElsewhere added touch.Before.loaded[0]: -> "Loud"; collection-grew
        }

        static void touch() {}
    }

    /** One initialiser starts another and writes to it, before and after its end. */
    static class Outer {
        static final Inner inner = new Inner();

        static {
            Inner.made += 10; //~ POLLUTES touch.FirstTouchTest#nestedInitialisers changed touch.Counter$Inner.made: 1 -> 11; first touch
        }

        static void touch() {}
    }

    static class Inner {
        static int made = 1;
    }

    /** Its initialiser throws. */
    static class Broken {
        static final Map<String, String> kept = new HashMap<>();

        static {
            kept.put("half", "done");
            if (!kept.isEmpty()) {
                throw new IllegalStateException("broken");
            }
        }

        static void touch() {}
    }
}
