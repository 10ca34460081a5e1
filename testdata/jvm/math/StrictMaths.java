// StrictMath to the last bit: all functions over many arguments, printed as hexadecimal bits and as one hash each.
public class StrictMaths {
    interface F { double f(double x); }
    interface G { double g(double x, double y); }
    static final double[] X = {0, -0.0, 1, -1, 0.5, -0.5, 0.1, 2, 3, 10, 100, 1e-5, 1e-20, 1e5, 1e10, 1e22, 1e300,
        -1e300, Math.PI, Math.PI / 2, Math.PI / 4, 3 * Math.PI / 4, Math.E, 0.7853981633974483, 1.5707963267948966,
        709.78, -745.1, 1e-308, 4.9e-324, Double.MAX_VALUE, Double.NaN, Double.POSITIVE_INFINITY,
        Double.NEGATIVE_INFINITY, 0.9999999999999999, 1.0000000000000002, 123456.789, -7.25, 1e16, 22, 355.0 / 113};
    static void f(String n, F f) {
        long h = 0;
        StringBuilder sb = new StringBuilder(n);
        int i = 0;
        for (double x : X) {
            long b = Double.doubleToLongBits(f.f(x));
            h = h * 31 + b;
            if (i++ % 3 == 0) sb.append(' ').append(Long.toHexString(b));
        }
        for (int k = 0; k < 300; k++) {
            double x = (k - 150) * 0.0371 + k * k * 1e-4;
            h = h * 31 + Double.doubleToLongBits(f.f(x));
        }
        System.out.println(sb + " | " + Long.toHexString(h));
    }
    static void g(String n, G g) {
        long h = 0;
        for (double x : X) for (double y : X) h = h * 31 + Double.doubleToLongBits(g.g(x, y));
        for (int k = 1; k < 200; k++) h = h * 31 + Double.doubleToLongBits(g.g(k * 0.173, (k - 100) * 0.37));
        System.out.println(n + " " + Long.toHexString(h));
    }
    public static void main(String[] args) {
        f("sin", StrictMath::sin);
        f("cos", StrictMath::cos);
        f("tan", StrictMath::tan);
        f("asin", StrictMath::asin);
        f("acos", StrictMath::acos);
        f("atan", StrictMath::atan);
        f("exp", StrictMath::exp);
        f("log", StrictMath::log);
        f("log10", StrictMath::log10);
        f("sqrt", StrictMath::sqrt);
        f("cbrt", StrictMath::cbrt);
        f("sinh", StrictMath::sinh);
        f("cosh", StrictMath::cosh);
        f("tanh", StrictMath::tanh);
        f("expm1", StrictMath::expm1);
        f("log1p", StrictMath::log1p);
        f("ceil", StrictMath::ceil);
        f("floor", StrictMath::floor);
        f("rint", StrictMath::rint);
        f("ulp", StrictMath::ulp);
        f("signum", StrictMath::signum);
        f("nextUp", StrictMath::nextUp);
        f("nextDown", StrictMath::nextDown);
        f("toRadians", StrictMath::toRadians);
        f("toDegrees", StrictMath::toDegrees);
        f("abs", StrictMath::abs);
        g("pow", StrictMath::pow);
        g("atan2", StrictMath::atan2);
        g("hypot", StrictMath::hypot);
        g("IEEEremainder", StrictMath::IEEEremainder);
        g("max", StrictMath::max);
        g("min", StrictMath::min);
        g("copySign", StrictMath::copySign);
        g("nextAfter", StrictMath::nextAfter);
        System.out.println(StrictMath.round(2.5) + " " + StrictMath.round(-2.5) + StrictMath.round(1e30)
            + StrictMath.round(Double.NaN) + StrictMath.round(0.49999999999999994) + StrictMath.round(2.5f)
            + StrictMath.round(-0.5f) + StrictMath.scalb(1.5, 1000) + StrictMath.scalb(1.0, -1080)
            + StrictMath.scalb(3f, 200) + StrictMath.getExponent(1e-310) + StrictMath.getExponent(5f)
            + StrictMath.fma(0.1, 10, -1) + StrictMath.fma(1e308, 10, -1e308) + StrictMath.fma(0.1f, 10f, -1f));
    }
}
