// Math's transcendental functions where a last bit may differ: rounded to twelve digits, and their identities hold.
public class Trig {
    public static void main(String[] args) {
        String f = "%.12g ";
        for (double x = -4; x <= 4; x += 0.37) {
            StringBuilder sb = new StringBuilder();
            for (double v : new double[] {Math.sin(x), Math.cos(x), Math.tan(x), Math.atan(x), Math.asin(x / 4),
                Math.acos(x / 4), Math.exp(x), Math.log(Math.abs(x)), Math.log10(Math.abs(x)), Math.sinh(x),
                Math.cosh(x), Math.tanh(x), Math.cbrt(x), Math.pow(Math.abs(x), 1.7), Math.expm1(x / 10),
                Math.log1p(Math.abs(x)), Math.hypot(x, 2), Math.atan2(x, 3),
                Math.toDegrees(x)}) sb.append(String.format(f, v));
            System.out.println(sb);
        }
        int ok = 0, n = 0;
        for (double x = 0.01; x < 50; x += 0.173) {
            n++;
            if (Math.abs(Math.sin(x) * Math.sin(x) + Math.cos(x) * Math.cos(x) - 1) < 1e-15
                && Math.abs(Math.exp(Math.log(x)) / x - 1) < 1e-14
                && Math.abs(Math.pow(Math.sqrt(x), 2) / x - 1) < 1e-15
                && Math.abs(Math.sin(x) - StrictMath.sin(x)) <= Math.ulp(1.0)
                && Math.abs(Math.pow(x, 3) / (x * x * x) - 1) < 1e-15 && Math.abs(Math.log(x) - StrictMath.log(x)) <= 2
                * Math.ulp(Math.log(x))) ok++;
        }
        System.out.println(ok == n);
        System.out.println(Math.sin(Double.NaN) + " " + Math.sin(Double.POSITIVE_INFINITY) + Math.tan(-0.0)
            + Math.log(0) + Math.pow(Double.NaN, 0) + Math.pow(1, Double.NaN) + Math.pow(-1, Double.POSITIVE_INFINITY)
            + Math.atan(Double.NEGATIVE_INFINITY) * 2 + Math.exp(-1000) + Math.cosh(1000) + Math.pow(2, 1024)
            + Math.pow(-0.0, -3) + Math.pow(-2, 1e300) + Math.hypot(Double.NaN, Double.POSITIVE_INFINITY));
        double s = 0;
        for (int i = 1; i < 5000; i++) s += Math.sin(i) / i + Math.sqrt(i) * Math.cos(i * 0.5) / (i * i);
        System.out.printf("%.10f%n", s);
    }
}
