// Code of which the tests reach some branches only.
package covered;

import java.util.Arrays;
import java.util.function.IntPredicate;

public class Sorter {
    public static int[] sort(int[] values, boolean backwards) {
        int[] copy = values.clone();
        Arrays.sort(copy);
        if (backwards) {
            for (int i = 0; i < copy.length / 2; i++) {
                int kept = copy[i];
                copy[i] = copy[copy.length - 1 - i];
                copy[copy.length - 1 - i] = kept;
            }
        }
        return copy;
    }

    public static int count(int[] values, IntPredicate wanted) {
        int n = 0;
        for (int value : values) {
            n += wanted.test(value) ? 1 : 0;
        }
        return n;
    }

    public static String name(int n) {
        switch (n) {
            case 0:
                return "none";
            case 1:
                return "one";
            default:
                return n < 0 ? "negative" : "many";
        }
    }

    static void neverCalled() {
        throw new AssertionError();
    }
}
