// Division and remainder of ints and longs, by constants and by variables, at the ends of their ranges, compiled and not.
public class Divisions {
    static final int[] I = {Integer.MIN_VALUE, Integer.MIN_VALUE + 1, -1 << 30, -65537, -7, -2, -1, 0, 1, 2, 7, 65536,
        1 << 30, Integer.MAX_VALUE - 1, Integer.MAX_VALUE};
    static final long[] L = {Long.MIN_VALUE, Long.MIN_VALUE + 1, Integer.MIN_VALUE, -1L << 62, -7, -2, -1, 0, 1, 2, 7,
        1L << 31, 1L << 32, 1L << 62, Long.MAX_VALUE - 1, Long.MAX_VALUE};

    static int intByMin(int a) { return a / Integer.MIN_VALUE; }
    static int intModMin(int a) { return a % Integer.MIN_VALUE; }
    static int intByMax(int a) { return a / Integer.MAX_VALUE; }
    static int intModMax(int a) { return a % Integer.MAX_VALUE; }
    static int intByOther(int a) { return a / (Integer.MIN_VALUE + 1); }
    static int intByPower(int a) { return a / (1 << 30) + a / -(1 << 30) + a / 2 + a / -2 + a / 1 + a / -1; }
    static int intModPower(int a) { return a % (1 << 30) + a % -(1 << 30) + a % 2 + a % -2 + a % 1 + a % -1; }
    static int intBySeven(int a) { return a / 7 + a % 7 * 3 + a / -7 + a % -7 * 5; }
    static long longByMin(long a) { return a / Long.MIN_VALUE; }
    static long longModMin(long a) { return a % Long.MIN_VALUE; }
    static long longByMax(long a) { return a / Long.MAX_VALUE; }
    static long longModMax(long a) { return a % Long.MAX_VALUE; }
    static long longByInt(long a) { return a / Integer.MIN_VALUE + a % Integer.MIN_VALUE; }
    static long longByPower(long a) { return a / (1L << 62) + a / -(1L << 62) + a / 2 + a / -2 + a / 1 + a / -1; }
    static long longModPower(long a) { return a % (1L << 62) + a % -(1L << 62) + a % 2 + a % -2 + a % 1 + a % -1; }
    static long longBySeven(long a) { return a / 7 + a % 7 * 3 + a / -7 + a % -7 * 5; }

    static long ints(boolean print) {
        long sum = 0;
        for (int a : I) {
            int[] r = {intByMin(a), intModMin(a), intByMax(a), intModMax(a), intByOther(a), intByPower(a),
                intModPower(a), intBySeven(a)};
            for (int v : r) sum = sum * 31 + v;
            for (int b : I) {
                try {
                    sum = sum * 31 + a / b;
                    sum = sum * 31 + a % b;
                } catch (ArithmeticException e) {
                    sum = sum * 31 + 5;
                }
            }
            if (print) System.out.println(a + " " + java.util.Arrays.toString(r) + " " + sum);
        }
        return sum;
    }

    static long longs(boolean print) {
        long sum = 0;
        for (long a : L) {
            long[] r = {longByMin(a), longModMin(a), longByMax(a), longModMax(a), longByInt(a), longByPower(a),
                longModPower(a), longBySeven(a)};
            for (long v : r) sum = sum * 31 + v;
            for (long b : L) {
                try {
                    sum = sum * 31 + a / b;
                    sum = sum * 31 + a % b;
                } catch (ArithmeticException e) {
                    sum = sum * 31 + 5;
                }
            }
            if (print) System.out.println(a + " " + java.util.Arrays.toString(r) + " " + sum);
        }
        return sum;
    }

    /** The same in one method that is hot by itself: the divisor is known where the quotient is made. */
    static long hot() {
        long sum = 0;
        for (int n = 0; n < 3000; n++) {
            for (int i = 0; i < I.length; i++) {
                sum = sum * 31 + I[i] / Integer.MIN_VALUE + I[i] % Integer.MIN_VALUE;
            }
            for (int i = 0; i < L.length; i++) {
                sum = sum * 31 + L[i] / Long.MIN_VALUE + L[i] % Long.MIN_VALUE;
            }
        }
        return sum;
    }

    public static void main(String[] args) {
        long first = ints(true) * 31 + longs(true);
        int differ = 0;
        for (int i = 0; i < 2000; i++) {
            if (ints(false) * 31 + longs(false) != first) differ++;
        }
        System.out.println("differ " + differ);
        System.out.println("hot " + hot());
        ints(true);
        longs(true);
    }
}
