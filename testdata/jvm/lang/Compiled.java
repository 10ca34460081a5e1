// Code that runs long enough to be compiled: edges of arithmetic, exceptions inside hot loops, deep calls, switches.
import java.util.Arrays;

public class Compiled {
    interface Shape { double area(); int sides(); }
    record Square(double side) implements Shape {
        public double area() { return side * side; }
        public int sides() { return 4; }
    }
    record Triangle(double base, double height) implements Shape {
        public double area() { return base * height / 2; }
        public int sides() { return 3; }
    }
    static class Counter {
        private int n;
        boolean odd;
        byte small;
        short medium;
        char letter;
        long big;
        float real;
        static int all;
        synchronized int up() { return ++n; }
        int get() { return n; }
        void all(int i) {
            odd = (i & 1) != 0;
            small += i;
            medium -= i;
            letter += i;
            big ^= (long) i << 33;
            real = real / 2 + i;
            all += odd ? 1 : -1;
        }
    }

    static int divide(int a, int b) { return a / b + a % b; }

    static long divide(long a, long b) { return a / b + a % b; }

    static String arithmetic() {
        int[] ints = {0, 1, -1, 7, -13, 31, 32, 33, 255, 65536, Integer.MAX_VALUE, Integer.MIN_VALUE};
        long sum = 0;
        int zero = 0;
        for (int round = 0; round < 3000; round++) {
            for (int a : ints) {
                for (int b : ints) {
                    try {
                        sum = sum * 31 + divide(a, b) + divide((long) a << 20, b);
                    } catch (ArithmeticException e) {
                        zero++;
                    }
                    sum ^= (a << b) + (a >> b) + (a >>> b) + ((long) a << b) + ((long) a >> b) + ((long) a >>> b);
                    sum += (byte) a + (short) b + (char) (a + b) + -a + ~b + a * b + (a & b) + (a | b);
                }
            }
        }
        return sum + " " + zero;
    }

    static String reals() {
        double[] reals = {0.0, -0.0, 1.5, -2.75, 1e300, -1e-300, Double.NaN, Double.POSITIVE_INFINITY,
            Double.NEGATIVE_INFINITY, Double.MIN_VALUE, 4294967296.5, -9.3e18};
        long hash = 0;
        int less = 0, atLeast = 0;
        for (int round = 0; round < 3000; round++) {
            for (double a : reals) {
                for (double b : reals) {
                    if (a < b) less++;
                    if (!(a < b)) atLeast++;
                    if (a >= b) less += 3;
                    if (a != b) atLeast += 5;
                    hash = hash * 31 + (int) a + (long) b + (int) (float) b;
                    double c = a * b + a - b / 3;
                    float f = (float) a % 7.5f;
                    hash ^= Double.compare(c, a) + Float.compare(f, (float) b);
                    if (a == a && b == b) hash += Double.doubleToLongBits(a % b == a % b ? a % b : 1) ^ (long) f;
                }
            }
        }
        return hash + " " + less + " " + atLeast;
    }

    static String arrays() {
        int[] data = new int[100];
        Object[] objects = new String[10];
        int outside = 0, nulls = 0, stores = 0, casts = 0, negative = 0;
        for (int i = -20; i < 200_000; i++) {
            try {
                data[i % 110] += i;
                data[i % 7 & 3] ^= data.length;
            } catch (ArrayIndexOutOfBoundsException e) {
                outside++;
            }
            try {
                int[] maybe = i % 1000 == 5 ? null : data;
                outside += maybe[0] & 1;
            } catch (NullPointerException e) {
                nulls++;
            }
            try {
                objects[i & 7] = i % 500 == 3 ? (Object) i : "x";
            } catch (ArrayStoreException e) {
                stores++;
            }
            try {
                Object o = i % 700 == 9 ? (Object) 1 : "text";
                casts += ((String) o).length();
            } catch (ClassCastException e) {
                casts -= 100;
            }
            try {
                if (i % 5000 == 1) data = Arrays.copyOf(data, new int[i % 10000 == 1 ? -1 : 100].length);
            } catch (NegativeArraySizeException e) {
                negative++;
            }
        }
        return Arrays.hashCode(data) + " " + outside + " " + nulls + " " + stores + " " + casts + " " + negative;
    }

    static int pick(int i) {
        switch (i % 9) {
            case 0: return 1;
            case 1: return i;
            case 2: case 3: return -i;
            case 5: return i * 2;
            default: break;
        }
        switch (i * 1000) {
            case 4000: return 7;
            case -1000: return 8;
            case Integer.MAX_VALUE: return 9;
            default: return 10;
        }
    }

    static String objects() {
        Shape[] shapes = new Shape[64];
        for (int i = 0; i < shapes.length; i++) {
            shapes[i] = i % 3 == 0 ? new Square(i) : new Triangle(i, 2);
        }
        double area = 0;
        long sides = 0;
        Counter counter = new Counter();
        for (int i = 0; i < 100_000; i++) {
            Shape s = shapes[i & 63];
            area += s.area();
            sides += s.sides() + (s instanceof Square q ? (int) q.side() : pick(i));
            counter.up();
            counter.all(i);
            sides ^= counter.get();
        }
        return area + " " + sides + " " + counter.odd + counter.small + " " + counter.medium + " "
            + (int) counter.letter + " " + counter.big + " " + counter.real + " " + Counter.all;
    }

    static int depth(int n) { return n == 0 ? 0 : 1 + depth(n - 1); }

    static int endless(int n) { return endless(n + 1) + 1; }

    static String calls() {
        long sum = 0;
        for (int i = 0; i < 3000; i++) {
            sum += depth(i % 3000);
        }
        for (int i = 0; i < 5; i++) {
            try {
                endless(i);
            } catch (StackOverflowError e) {
                sum++;
            }
        }
        return "" + sum;
    }

    static int thrower(int i) {
        if (i % 100 == 42) throw new IllegalStateException("at " + i);
        return i;
    }

    static String exceptions() {
        int caught = 0, done = 0, lines = 0;
        for (int i = 0; i < 50_000; i++) {
            try {
                done += thrower(i) & 1;
            } catch (IllegalStateException e) {
                caught += e.getMessage().length();
                lines += e.getStackTrace()[0].getLineNumber() * 1000 + e.getStackTrace()[1].getLineNumber();
            } finally {
                done++;
            }
        }
        return caught + " " + done + " " + lines;
    }

    public static void main(String[] args) {
        System.out.println(arithmetic());
        System.out.println(reals());
        System.out.println(arrays());
        System.out.println(objects());
        System.out.println(calls());
        System.out.println(exceptions());
    }
}
