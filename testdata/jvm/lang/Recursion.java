// Deep and mutual recursion, Ackermann, N queens, permutations, memo tables: call and return of every kind.
import java.util.HashMap;
import java.util.Map;

public class Recursion {
    static int ack(int m, int n) {
        return m == 0 ? n + 1 : n == 0 ? ack(m - 1, 1) : ack(m - 1, ack(m, n - 1));
    }

    static boolean even(int n) {
        return n == 0 || odd(n - 1);
    }

    static boolean odd(int n) {
        return n != 0 && even(n - 1);
    }

    static int queens(int n, int row, int cols, int d1, int d2) {
        if (row == n) {
            return 1;
        }
        int count = 0;
        for (int free = ~(cols | d1 | d2) & ((1 << n) - 1); free != 0; free &= free - 1) {
            int bit = free & -free;
            count += queens(n, row + 1, cols | bit, (d1 | bit) << 1, (d2 | bit) >> 1);
        }
        return count;
    }

    static long fib(int n) {
        return n < 2 ? n : fib(n - 1) + fib(n - 2);
    }

    static Map<Long, Long> memo = new HashMap<>();

    static long collatz(long n) {
        if (n == 1) {
            return 0;
        }
        Long known = memo.get(n);
        if (known != null) {
            return known;
        }
        long r = 1 + collatz((n & 1) == 0 ? n / 2 : 3 * n + 1);
        memo.put(n, r);
        return r;
    }

    static int perms;

    static void permute(char[] c, int k) {
        if (k == c.length) {
            perms = perms * 31 + String.valueOf(c).hashCode();
            return;
        }
        for (int i = k; i < c.length; i++) {
            char t = c[k];
            c[k] = c[i];
            c[i] = t;
            permute(c, k + 1);
            c[i] = c[k];
            c[k] = t;
        }
    }

    static double mixed(byte b, long l, float f, double d, char c, int depth) {
        return depth == 0 ? b + l + f + d + c : mixed((byte) (b + 1), l * 3, f / 2, d + f, (char) (c + 1), depth - 1)
            - l;
    }

    static void hanoi(int n, int a, int b, int c, int[] count) {
        if (n > 0) {
            hanoi(n - 1, a, c, b, count);
            count[0] = count[0] * 7 + a * 3 + b;
            hanoi(n - 1, c, b, a, count);
        }
    }

    static int depth(int n) {
        return n == 0 ? 0 : 1 + depth(n - 1);
    }

    public static void main(String[] args) {
        System.out.println(ack(2, 9) + " " + ack(1, 100));
        System.out.println(even(3000) + " " + odd(3001));
        System.out.println(queens(7, 0, 0, 0, 0));
        System.out.println(fib(20));
        long best = 0;
        for (long i = 1; i < 3000; i++) {
            best = Math.max(best, collatz(i) * 10000 + i);
        }
        System.out.println(best);
        permute("abcdef".toCharArray(), 0);
        System.out.println(perms);
        System.out.println(mixed((byte) 120, 7, 1.5f, 2.25, 'x', 12));
        int[] count = {0};
        hanoi(12, 1, 2, 3, count);
        System.out.println(count[0]);
        System.out.println(depth(5000));
    }
}
