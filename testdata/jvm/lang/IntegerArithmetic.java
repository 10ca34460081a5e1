// Overflow, division, remainder, shifts and bit operations of int and long at their edges.
public class IntegerArithmetic {
    static final int[] INTS = {0, 1, -1, 2, -2, 7, -7, 31, 32, 33, 63, 64, 127, 128, -128, -129, 255, 256, 32767, 32768,
        -32768, 65535, 65536, Integer.MAX_VALUE, Integer.MIN_VALUE, 0x55555555, 0xAAAAAAAA};
    static final long[] LONGS = {0, 1, -1, 3, -3, 31, 32, 63, 64, 65, Integer.MAX_VALUE, Integer.MIN_VALUE,
        1L + Integer.MAX_VALUE, Long.MAX_VALUE, Long.MIN_VALUE, 0x5555555555555555L, 0xAAAAAAAAAAAAAAAAL};

    static int div(int a, int b) {
        try {
            return a / b;
        } catch (ArithmeticException e) {
            return e.getMessage().equals("/ by zero") ? 12345 : 54321;
        }
    }

    static int rem(int a, int b) {
        try {
            return a % b;
        } catch (ArithmeticException e) {
            return 777;
        }
    }

    static long div(long a, long b) {
        try {
            return a / b;
        } catch (ArithmeticException e) {
            return 12345;
        }
    }

    static long rem(long a, long b) {
        try {
            return a % b;
        } catch (ArithmeticException e) {
            return 777;
        }
    }

    public static void main(String[] args) {
        for (int a : INTS) {
            int sum = 0;
            for (int b : INTS) {
                sum = sum * 31 + (a + b);
                sum = sum * 31 + (a - b);
                sum = sum * 31 + (a * b);
                sum = sum * 31 + div(a, b);
                sum = sum * 31 + rem(a, b);
                sum = sum * 31 + (a << b);
                sum = sum * 31 + (a >> b);
                sum = sum * 31 + (a >>> b);
                sum = sum * 31 + (a & b);
                sum = sum * 31 + (a | b);
                sum = sum * 31 + (a ^ b);
                sum = sum * 31 + (a < b ? 1 : 0) + (a <= b ? 2 : 0) + (a == b ? 4 : 0) + (a != b ? 8 : 0);
            }
            System.out.println(a + " " + (-a) + " " + (~a) + " " + sum + " " + (byte) a + " " + (short) a + " "
                + (int) (char) a + " " + (long) a + " " + (a << 33) + " " + (a >>> 31));
        }
        for (long a : LONGS) {
            long sum = 0;
            for (long b : LONGS) {
                sum = sum * 31 + (a + b);
                sum = sum * 31 + (a - b);
                sum = sum * 31 + (a * b);
                sum = sum * 31 + div(a, b);
                sum = sum * 31 + rem(a, b);
                sum = sum * 31 + (a << b);
                sum = sum * 31 + (a >> b);
                sum = sum * 31 + (a >>> b);
                sum = sum * 31 + (a << (int) b);
                sum = sum * 31 + ((a & b) ^ (a | b)) + Long.compare(a, b);
                sum = sum * 31 + (a < b ? 1 : 0) + (a >= b ? 2 : 0) + (a == b ? 4 : 0);
            }
            System.out.println(a + " " + (-a) + " " + (~a) + " " + sum + " " + (int) a + " " + (byte) a + " "
                + (float) a
                + " " + (double) a);
        }
        System.out.println(Integer.MIN_VALUE / -1 + " " + Integer.MIN_VALUE % -1 + " " + Long.MIN_VALUE / -1 + " "
            + Math.abs(Integer.MIN_VALUE));
        compound();
        increments();
    }

    static void compound() {
        byte b = 127;
        b += 1;
        System.out.println(b);
        b >>>= 1;
        System.out.println(b);
        b *= 3.7;
        System.out.println(b);
        short s = -1;
        s >>>= 10;
        System.out.println(s);
        char c = 'a';
        c += 1.9;
        System.out.println(c);
        c -= 100;
        System.out.println((int) c);
        int i = 10;
        i -= 3.5;
        System.out.println(i);
        i += 1e20;
        System.out.println(i);
        long l = 5;
        l *= -2.5f;
        System.out.println(l);
        l <<= 65;
        System.out.println(l);
        i = 3;
        i = i++ + ++i * i--;
        System.out.println(i);
        int[] a = {1, 2, 3};
        int k = 0;
        a[k++] += a[k] * 10 + k++;
        System.out.println(a[0] + " " + k);
        a[k] <<= k = 1;
        System.out.println(a[2] + " " + k);
        String str = "s";
        str += 1 + 2;
        str += 'c';
        str += null;
        str += 1.0f;
        System.out.println(str);
    }

    static void increments() {
        byte b = Byte.MAX_VALUE;
        b++;
        short s = Short.MIN_VALUE;
        s--;
        char c = 0;
        c--;
        int i = Integer.MAX_VALUE;
        i++;
        long l = Long.MIN_VALUE;
        l--;
        float f = 1.5f;
        f++;
        double d = -0.5;
        d++;
        System.out.println(b + " " + s + " " + (int) c + " " + i + " " + l + " " + f + " " + d);
        Integer boxed = 127;
        boxed++;
        Character ch = 'z';
        ch++;
        System.out.println(boxed + " " + ch);
        int wide = 0;
        wide += 40000;
        wide -= 70000;
        System.out.println(wide);
    }
}
