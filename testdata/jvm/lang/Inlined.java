// Small methods that are called often enough to run in place of their calls: what they throw and from where, classes that
// come to override them, monitors, strings, and how deep recursion goes.
import java.lang.reflect.Array;
import java.util.ArrayList;
import java.util.List;

public class Inlined {
    static class Base {
        int n;

        Base(int n) {
            this.n = n;
        }

        int value() {
            return twice(n) + 1;
        }

        static int twice(int x) {
            return x * 2;
        }

        double half(double d, long l) {
            return d / 2 + l;
        }
    }

    // Loaded only when the loops have run for a while.
    static class Over extends Base {
        Over(int n) {
            super(n);
        }

        @Override
        int value() {
            return -super.value();
        }
    }

    interface Op {
        int on(int a, int b);
    }

    static class Add implements Op {
        public int on(int a, int b) {
            return a + b;
        }
    }

    static class Div implements Op {
        public int on(int a, int b) {
            return a / b;
        }
    }

    static int sum(Base b, int times) {
        int s = 0;
        for (int i = 0; i < times; i++) {
            s = s * 31 + b.value() + (int) b.half(i, s);
        }
        return s;
    }

    static int fold(Op op, int times) {
        int s = 1;
        for (int i = 1; i < times; i++) {
            s = op.on(s, i) ^ i;
        }
        return s;
    }

    static int element(int[] a, int i) {
        return a[i];
    }

    static int checked(int[] a, int i) {
        return element(a, i) + 1;
    }

    static int caught(int[] a, int times) {
        int s = 0;
        for (int i = 0; i < times; i++) {
            try {
                s += checked(i % 1000 == 7 ? null : a, i % (a.length + (i % 500 == 3 ? 5 : 0)));
            } catch (ArrayIndexOutOfBoundsException e) {
                s -= 3;
            } catch (NullPointerException e) {
                s -= 5;
            }
        }
        return s;
    }

    static int item(int[] a, int i) {
        return a[i];
    }

    static int afterItem(int[] a, int i) {
        return item(a, i) + 1;
    }

    static void where(int[] a, int i) {
        try {
            for (int k = 0; k < 100_000; k++) {
                afterItem(a, k == 99_999 ? i : 0);
            }
        } catch (RuntimeException e) {
            System.out.println(e.getMessage());
            for (StackTraceElement at : e.getStackTrace()) {
                System.out.println("  " + at.getMethodName() + ":" + at.getLineNumber());
            }
        }
    }

    static int strings(String s, int times) {
        int sum = 0;
        for (int i = 0; i < times; i++) {
            int at = i % (s.length() + (i % 5000 == 0 ? 3 : 0));
            try {
                sum = sum * 31 + s.charAt(at) + (s.isEmpty() ? 1 : 0);
            } catch (StringIndexOutOfBoundsException e) {
                sum += e.getMessage().length();
            }
            CharSequence c = s;
            sum += c.length() + c.charAt(0);
        }
        return sum;
    }

    int count;

    synchronized int next() {
        return ++count;
    }

    synchronized int nextOrThrow() {
        if (count % 1000 == 0) {
            count++;
            throw new IllegalStateException();
        }
        return next();
    }

    static synchronized int shared(int x) {
        return x ^ 0x55;
    }

    static void locks() throws Exception {
        Inlined it = new Inlined();
        Thread[] threads = new Thread[4];
        for (int t = 0; t < threads.length; t++) {
            threads[t] = new Thread(() -> {
                for (int i = 0; i < 50_000; i++) {
                    it.next();
                    synchronized (it) {
                        it.count += shared(i) & 1;
                        it.count -= shared(i) & 1;
                    }
                }
            });
            threads[t].start();
        }
        for (Thread t : threads) {
            t.join();
        }
        System.out.println(it.count + " " + Thread.holdsLock(it));
        int thrown = 0;
        for (int i = 0; i < 100_000; i++) {
            try {
                it.nextOrThrow();
            } catch (IllegalStateException e) {
                thrown++;
            }
        }
        System.out.println(it.count + " " + thrown + " " + Thread.holdsLock(it));
    }

    static int depth;

    static int down(int n) {
        depth++;
        return step(n) + 1;
    }

    static int step(int n) {
        return n == 0 ? 0 : down(n - 1);
    }

    static void copies() {
        int[] a = {1, 2, 3};
        Object[] o = {"x", a};
        long s = 0;
        for (int i = 0; i < 100_000; i++) {
            int[] b = a.clone();
            b[i % 3]++;
            s += b[0] + b[1] + b[2] + o.clone().length;
            a = b;
            Object made = Array.newInstance(i % 2 == 0 ? int.class : String.class, i % 7);
            s += Array.getLength(made);
        }
        System.out.println(s + " " + a[0] + " " + a[1] + " " + a[2]);
        int failed = 0;
        for (int i = 0; i < 5_000; i++) {
            try {
                Array.newInstance(i % 2 == 0 ? void.class : int.class, -1);
            } catch (IllegalArgumentException e) {
                failed++;
            } catch (NegativeArraySizeException e) {
                failed += 3;
            }
        }
        System.out.println(failed);
    }

    static String parts(int times) {
        StringBuilder b = new StringBuilder();
        String s = "a,,bb,\u20ac,";
        int commas = 0;
        for (int i = 0; i < times; i++) {
            b.setLength(0);
            for (int k = 0; k < s.length(); k++) {
                char c = s.charAt(k);
                if (c == ',') {
                    commas += b.toString().length();
                    b.setLength(0);
                } else {
                    b.append(c);
                }
            }
        }
        return commas + b.toString() + s.substring(2, 2) + s.substring(0, 1);
    }

    public static void main(String[] args) throws Exception {
        Base base = new Base(3);
        System.out.println(sum(base, 300_000));
        System.out.println(sum(new Over(3), 300_000));
        System.out.println(sum(base, 300_000));
        System.out.println(fold(new Add(), 300_000));
        System.out.println(fold(new Div(), 300_000));
        System.out.println(fold((a, b) -> a - b, 300_000));
        try {
            fold((a, b) -> a / (b % 70_000), 300_000);
        } catch (ArithmeticException e) {
            System.out.println(e.getMessage());
        }
        System.out.println(caught(new int[] {1, 2, 3, 4}, 300_000));
        where(new int[2], 2);
        where(new int[2], -1);
        System.out.println(strings("hello", 200_000));
        System.out.println(strings("h\u20acllo", 200_000));
        locks();
        System.out.println(down(500));
        for (int i = 0; i < 200; i++) {
            down(1000);
        }
        int overflows = 0;
        for (int i = 0; i < 3; i++) {
            depth = 0;
            try {
                down(-1);
            } catch (StackOverflowError e) {
                overflows += depth > 1000 ? 1 : 0;
            }
        }
        System.out.println(overflows + " " + down(700));
        copies();
        System.out.println(parts(30_000));
        List<Integer> list = new ArrayList<>();
        for (int i = 0; i < 100_000; i++) {
            list.add(i);
        }
        long total = 0;
        for (int x : list) {
            total += x;
        }
        System.out.println(total);
    }
}
