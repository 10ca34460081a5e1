import java.util.Random;
import java.util.function.DoubleBinaryOperator;

/** StrictMath to the last bit, over special values, small and huge arguments and multiples of pi/2. */
public class StrictMathBits {
    static final double[] SPECIAL = {
        0.0, -0.0, 1, -1, 0.5, -0.5, Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY,
        Double.MIN_VALUE, -Double.MIN_VALUE, Double.MAX_VALUE, -Double.MAX_VALUE, Double.MIN_NORMAL,
        Math.PI, Math.PI / 2, Math.PI / 4, 3 * Math.PI / 4, 2, 10, 1e22, 1e300, 709.78, 710.4758, -745.13
    };

    static double argument(Random random, int i) {
        switch (i % 6) {
            case 0: return Double.longBitsToDouble(random.nextLong());
            case 1: return random.nextDouble() * 2 - 1;
            case 2: return random.nextGaussian() * 10;
            case 3: return (random.nextDouble() - 0.5) * 1e6;
            case 4: return i * Math.PI / 2;
            default: return Math.scalb(random.nextDouble() + 0.5, random.nextInt(120) - 60);
        }
    }

    static void digest(String name, DoubleBinaryOperator f) {
        Random random = new Random(42);
        long hash = 7;
        for (double x : SPECIAL) {
            for (double y : SPECIAL) {
                hash = hash * 1000003 + Double.doubleToLongBits(f.applyAsDouble(x, y));
            }
        }
        for (int i = 0; i < 3000; i++) {
            double x = argument(random, i);
            hash = hash * 1000003 + Double.doubleToLongBits(f.applyAsDouble(x, argument(random, i / 7)));
        }
        System.out.println(name + " " + Long.toHexString(hash));
    }

    public static void main(String[] args) {
        digest("sin", (x, y) -> StrictMath.sin(x));
        digest("cos", (x, y) -> StrictMath.cos(x));
        digest("tan", (x, y) -> StrictMath.tan(x));
        digest("asin", (x, y) -> StrictMath.asin(x));
        digest("acos", (x, y) -> StrictMath.acos(x));
        digest("atan", (x, y) -> StrictMath.atan(x));
        digest("atan2", StrictMath::atan2);
        digest("exp", (x, y) -> StrictMath.exp(x));
        digest("expm1", (x, y) -> StrictMath.expm1(x));
        digest("log", (x, y) -> StrictMath.log(x));
        digest("log10", (x, y) -> StrictMath.log10(x));
        digest("log1p", (x, y) -> StrictMath.log1p(x));
        digest("sinh", (x, y) -> StrictMath.sinh(x));
        digest("cosh", (x, y) -> StrictMath.cosh(x));
        digest("tanh", (x, y) -> StrictMath.tanh(x));
        digest("cbrt", (x, y) -> StrictMath.cbrt(x));
        digest("sqrt", (x, y) -> StrictMath.sqrt(x));
        digest("hypot", StrictMath::hypot);
        digest("pow", StrictMath::pow);
        digest("remainder", StrictMath::IEEEremainder);
        digest("rint", (x, y) -> Math.rint(x) + Math.floor(y) - Math.ceil(x));
    }
}
