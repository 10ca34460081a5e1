// IEEE arithmetic: NaN, signed zero, infinities, subnormals, comparisons, remainders and rounding to float.
public class FloatArithmetic {
    static final double[] DOUBLES = {0.0, -0.0, 1.0, -1.0, 0.1, 1.0 / 3, Double.MIN_VALUE, -Double.MIN_VALUE,
        Double.MIN_NORMAL, Double.MAX_VALUE, -Double.MAX_VALUE, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY,
        Double.NaN, 1e16, 123456789.125, 4.9e-310, 1e308};
    static final float[] FLOATS = {0f, -0f, 1f, -1f, 0.1f, Float.MIN_VALUE, Float.MIN_NORMAL, Float.MAX_VALUE,
        -Float.MAX_VALUE, Float.POSITIVE_INFINITY, Float.NEGATIVE_INFINITY, Float.NaN, 16777216f, 1e-40f, 3.3e38f};

    static long mix(long h, double d) {
        return h * 31 + Double.doubleToLongBits(d);
    }

    static int mix(int h, float f) {
        return h * 31 + Float.floatToIntBits(f);
    }

    public static void main(String[] args) {
        for (double a : DOUBLES) {
            long h = 0;
            int c = 0;
            for (double b : DOUBLES) {
                h = mix(h, a + b);
                h = mix(h, a - b);
                h = mix(h, a * b);
                h = mix(h, a / b);
                h = mix(h, a % b);
                c = c * 3 + (a < b ? 1 : 0) + (a <= b ? 2 : 0) + (a > b ? 4 : 0) + (a >= b ? 8 : 0) + (a == b ? 16 : 0)
                    + (a != b ? 32 : 0) + (!(a < b) ? 64 : 0) + Double.compare(a, b);
                h = mix(h, Math.max(a, b)) + Math.round(Math.min(a, b));
            }
            System.out.println(a + " " + (-a) + " " + Long.toHexString(h) + " " + c + " " + (float) a + " " + (int) a
                + " "
                + (long) a + " " + (short) a + " " + (byte) a + " " + (int) (char) a + " " + Math.abs(a) + " "
                + Math.signum(a));
        }
        for (float a : FLOATS) {
            int h = 0;
            int c = 0;
            for (float b : FLOATS) {
                h = mix(h, a + b);
                h = mix(h, a - b);
                h = mix(h, a * b);
                h = mix(h, a / b);
                h = mix(h, a % b);
                c = c * 3 + (a < b ? 1 : 0) + (a <= b ? 2 : 0) + (a > b ? 4 : 0) + (a >= b ? 8 : 0) + (a == b ? 16 : 0)
                    + Float.compare(a, b);
            }
            System.out.println(a + " " + (-a) + " " + Integer.toHexString(h) + " " + c + " " + (double) a + " "
                + (int) a
                + " " + (long) a + " " + (char) ('a' + (int) Math.signum(a)) + " " + Math.ulp(a) + " "
                    + Math.getExponent(a));
        }
        System.out.println(5.5 % 2 + " " + -5.5 % 2 + " " + 5.5 % -2 + " " + 1e300 % 3.7 + " " + 5f % 0f + " "
            + 1.0 % 1e-310);
        System.out.println((0.0 == -0.0) + " " + Double.valueOf(0.0).equals(-0.0) + " "
            + Double.valueOf(Double.NaN).equals(Double.NaN));
        System.out.println(1 / 0.0 + " " + -1 / 0.0 + " " + 0 / 0.0 + " " + 1 / -0.0);
        System.out.println(0.1 + 0.2 + " " + (0.1f + 0.2f) + " " + (float) 0.1 + " " + (double) 0.1f);
        System.out.println((int) 1e10 + " " + (long) 1e19 + " " + (int) Float.NaN + " " + (long) -1e30 + " " + (int)
            -2.9
            + " " + (char) 65.7 + " " + (byte) 300.5 + " " + (short) -40000.9f);
        System.out.println((float) 16777217 + " " + (double) 9007199254740993L + " " + (float) Long.MAX_VALUE + " "
            + (int) (float) Integer.MAX_VALUE);
        System.out.println((0x1.8p1) + " " + 0x1p-1074 + " " + 0x1.fffffep127f + " " + 1e23 + " " + 2e-3f + " " + 1.0E7
            + " "
            + 9999999.0 + " " + 0.001 + " " + 9.999e-4 + " " + 100f + " " + 1.17549435E-38f);
        double d = 0;
        for (int i = 0; i < 1000; i++) {
            d += 0.1;
        }
        float f = 0;
        for (int i = 0; i < 1000; i++) {
            f += 0.1f;
        }
        System.out.println(d + " " + f);
        long raw = Double.doubleToRawLongBits(Double.longBitsToDouble(0x7ff8000000000abcL));
        System.out.println(Long.toHexString(raw) + " "
            + Long.toHexString(Double.doubleToLongBits(Double.longBitsToDouble(0x7ff8000000000abcL))));
        System.out.println(Integer.toHexString(Float.floatToRawIntBits(Float.intBitsToFloat(0x7fc00123))));
        System.out.println(Double.toHexString(0.1) + " " + Float.toHexString(1e-45f) + " "
            + Double.toHexString(-4.9e-324));
    }
}
