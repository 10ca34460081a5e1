// Labelled break and continue, nested loops, loops with side effects in their conditions, definite assignment, scoping.
import java.util.Iterator;

public class Loops {
    static int calls;

    static boolean tick(int limit) {
        return ++calls < limit;
    }

    static String labels() {
        StringBuilder sb = new StringBuilder();
        outer:
        for (int i = 0; i < 5; i++) {
            inner:
            for (int j = 0; ; j++) {
                if (j == i) {
                    continue outer;
                }
                if (i == 4) {
                    break outer;
                }
                if ((i + j) % 2 == 0) {
                    continue inner;
                }
                sb.append(i).append(j).append(' ');
                block: {
                    if (j > 1) {
                        break block;
                    }
                    sb.append('b');
                }
            }
        }
        return sb.toString();
    }

    static int finallyContinue() {
        int n = 0;
        for (int i = 0; i < 10; i++) {
            try {
                if (i % 3 == 0) {
                    continue;
                }
                if (i == 8) {
                    break;
                }
                n += i;
            } finally {
                n += 100;
            }
        }
        return n;
    }

    static int doWhile(int n) {
        int c = 0;
        do {
            n = (n & 1) == 0 ? n / 2 : 3 * n + 1;
            c++;
        } while (n != 1 && c < 1000);
        return c;
    }

    static class Countdown implements Iterable<Integer> {
        public Iterator<Integer> iterator() {
            return new Iterator<>() {
                int left = 4;

                public boolean hasNext() {
                    return left > 0;
                }

                public Integer next() {
                    return left--;
                }
            };
        }
    }

    static int primes(int n) {
        int count = 0;
        next:
        for (int i = 2; i < n; i++) {
            for (int j = 2; j * j <= i; j++) {
                if (i % j == 0) {
                    continue next;
                }
            }
            count++;
        }
        return count;
    }

    public static void main(String[] args) {
        System.out.println(labels());
        System.out.println(finallyContinue());
        System.out.println(doWhile(27) + " " + doWhile(1));
        while (tick(5)) {
        }
        System.out.println(calls);
        for (int i = 0, j = 10; i < j; i += 2, j--) {
            System.out.print(i + ":" + j + " ");
        }
        System.out.println();
        int sum = 0;
        for (int i : new Countdown()) {
            sum = sum * 10 + i;
        }
        System.out.println(sum);
        for (char c : "abc".toCharArray()) {
            c++;
            System.out.print(c);
        }
        System.out.println();
        long total = 0;
        for (long l = Long.MAX_VALUE - 3; l > 0; l++) {
            total ^= l;
        }
        System.out.println(total);
        int steps = 0;
        for (float f = 0; f < 1; f += 0.1f) {
            steps++;
        }
        for (double d = 0; d != 1.0 && steps < 100; d += 0.125) {
            steps++;
        }
        System.out.println(steps);
        int[][] triangle = new int[6][];
        for (int i = 0; i < triangle.length; i++) {
            triangle[i] = new int[i + 1];
            triangle[i][0] = triangle[i][i] = 1;
            for (int j = 1; j < i; j++) {
                triangle[i][j] = triangle[i - 1][j - 1] + triangle[i - 1][j];
            }
        }
        for (int[] row : triangle) {
            for (int v : row) {
                System.out.print(v + " ");
            }
        }
        System.out.println();
        final int late;
        if (args.length == 0) {
            late = 1;
        } else {
            late = 2;
        }
        Runnable r = () -> System.out.println("late " + late);
        r.run();
        System.out.println(primes(20000));
        boolean t = true, f = false;
        System.out.println((t | f) + " " + (t & f) + " " + (t ^ t) + " " + (!t | !f) + " " + (t ? f ? 1 : 2 : 3));
        boolean b = false;
        b |= true;
        b &= !b;
        b ^= true;
        System.out.println(b);
        int x = 0;
        if (f && x++ > 0 || t && ++x > 0 && x++ == 1) {
            x += 10;
        }
        System.out.println(x);
    }
}
