// Math: the functions whose result is exact or fully specified; exact arithmetic with overflow; floor and ceiling division; fma.
public class MathExact {
    interface T { Object run() throws Throwable; }
    static void t(String n, T r) {
        try {
            System.out.println(n + " " + r.run());
        } catch (Throwable e) {
            System.out.println(n + " !" + e.getClass().getSimpleName() + ": " + e.getMessage());
        }
    }
    static final int[] I = {0, 1, -1, 7, -7, 2, -2, Integer.MAX_VALUE, Integer.MIN_VALUE, 46341, -46341};
    static final long[] L = {0, 1, -1, 7, -7, 3037000500L, -3037000500L, Long.MAX_VALUE, Long.MIN_VALUE, 1L << 32};
    interface IB { long go(int a, int b); }
    interface LB { long go(long a, long b); }
    static void ii(String n, IB f) {
        long h = 0;
        int ex = 0;
        for (int a : I) for (int b : I) try {
            h = h * 31 + f.go(a, b);
        } catch (ArithmeticException e) {
            ex++;
            h = h * 31 + e.getMessage().hashCode();
        }
        System.out.println(n + " " + h + " " + ex);
    }
    static void ll(String n, LB f) {
        long h = 0;
        int ex = 0;
        for (long a : L) for (long b : L) try {
            h = h * 31 + f.go(a, b);
        } catch (ArithmeticException e) {
            ex++;
            h = h * 31 + e.getMessage().hashCode();
        }
        System.out.println(n + " " + h + " " + ex);
    }
    public static void main(String[] args) {
        ii("addExact", Math::addExact);
        ii("subtractExact", Math::subtractExact);
        ii("multiplyExact", Math::multiplyExact);
        ii("floorDiv", Math::floorDiv);
        ii("floorMod", Math::floorMod);
        ii("multiplyFull", Math::multiplyFull);
        ii("max", Math::max);
        ii("min", Math::min);
        ll("addExact", Math::addExact);
        ll("subtractExact", Math::subtractExact);
        ll("multiplyExact", Math::multiplyExact);
        ll("floorDiv", Math::floorDiv);
        ll("floorMod", Math::floorMod);
        ll("multiplyHigh", Math::multiplyHigh);
        ll("max", Math::max);
        t("neg", () -> Math.negateExact(Integer.MIN_VALUE));
        t("inc", () -> Math.incrementExact(Long.MAX_VALUE));
        t("dec", () -> Math.decrementExact(Integer.MIN_VALUE));
        t("toInt", () -> Math.toIntExact(1L << 31));
        t("abs", () -> Math.absExact(Integer.MIN_VALUE));
        t("absL", () -> Math.absExact(-5L));
        double[] d = {0.0, -0.0, 0.5, -0.5, 1.5, 2.5, -1.5, -2.5, 0.49999999999999994, 4503599627370497.5, 1e300,
            Double.MIN_VALUE, -Double.MIN_VALUE, Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY,
            2147483647.5, -2147483648.5, 9.223372036854776E18};
        for (double x : d)
            System.out.println(x + " " + Math.floor(x) + " " + Math.ceil(x) + " " + Math.rint(x) + " " + Math.round(x)
                + " " + Math.round((float) x) + " " + Math.abs(x) + " " + Math.signum(x) + " " + Math.ulp(x) + " "
                + Math.getExponent(x) + " " + Math.nextUp(x) + " " + Math.nextDown(x) + " " + Math.nextAfter(x, 5) + " "
                + Math.sqrt(x) + " " + Math.copySign(3, x) + " " + Math.scalb(x, 3) + " " + Math.toRadians(x) + " "
                + Math.nextUp((float) x) + " " + Math.ulp((float) x) + " " + Math.signum((float) x));
        double[] e = {0.1, 10, -1, 1e308, 1e-308, 3.3333333333333335, Double.MIN_VALUE, Double.NaN,
            Double.POSITIVE_INFINITY, -0.0, 0};
        long h = 0;
        for (double a : e) for (double b : e) for (double c : e) {
            h = h * 31 + Double.doubleToLongBits(Math.fma(a, b, c));
            h = h * 31 + Float.floatToIntBits(Math.fma((float) a, (float) b, (float) c));
            h = h * 31 + Double.doubleToLongBits(Math.max(a, Math.min(b, c)));
        }
        System.out.println(Long.toHexString(h));
        h = 0;
        for (double a : e)
            for (double b : e)
                h = h * 31 + Double.doubleToLongBits(Math.IEEEremainder(a, b)) + Double.doubleToLongBits(a % b)
                    + Double.doubleToLongBits(Math.sqrt(a * b)) + Float.floatToIntBits((float) a % (float) b);
        System.out.println(Long.toHexString(h));
        System.out.println(Math.pow(2, 10) + " " + Math.pow(0, 0) + Math.pow(-8, 3) + Math.pow(-8, 0.5)
            + Math.pow(2, -1074) + Math.pow(10, 2) + Math.exp(0) + Math.log(1) + Math.log10(1000) + Math.cbrt(27)
            + Math.hypot(3, 4) + Math.sin(0) + Math.cos(0) + Math.atan2(0, -0.0) + Math.atan2(-0.0, 1) + Math.asin(2)
            + Math.log(-1) + Math.exp(710) + Math.sinh(0) + Math.tanh(100) + Math.log1p(0) + Math.expm1(-0.0)
            + Math.cosh(0));
        System.out.println(Math.PI + " " + Math.E + Math.min(-0.0, 0.0) + Math.max(-0.0f, 0.0f)
            + Math.min(1, Double.NaN));
    }
}
