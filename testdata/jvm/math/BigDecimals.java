// BigDecimal: scale, precision, rounding modes, contexts, division, strings, exactness of doubles, square roots, errors.
import java.math.*;
import java.util.*;

public class BigDecimals {
    interface T { Object run() throws Throwable; }
    static void t(String n, T r) {
        try {
            System.out.println(n + " " + r.run());
        } catch (Throwable e) {
            System.out.println(n + " !" + e.getClass().getSimpleName() + ": " + e.getMessage());
        }
    }
    public static void main(String[] args) {
        String[] s = {"0", "0.00", "-0", "1", "1.10", "-2.205", "123456789.987654321", "1E+5", "1e-10", "9.99E+3",
            "-0.000001", "12345678901234567890.5", "1E-7", "0E+3", "100"};
        for (String x : s) {
            BigDecimal b = new BigDecimal(x);
            System.out.println(x + ": " + b + " " + b.toPlainString() + " " + b.toEngineeringString() + " " + b.scale()
                + " " + b.precision() + " " + b.unscaledValue() + " " + b.signum() + " " + b.stripTrailingZeros() + " "
                + b.negate() + " " + b.abs() + " " + b.ulp() + " " + b.movePointLeft(3) + " " + b.movePointRight(3)
                + " " + b.scaleByPowerOfTen(2) + " " + b.hashCode() + " " + b.intValue() + " " + b.doubleValue() + " "
                + b.toBigInteger() + " " + b.round(new MathContext(2)) + " " + b.setScale(1, RoundingMode.HALF_EVEN)
                + " " + b.pow(2) + " " + b.plus(MathContext.DECIMAL32));
        }
        BigDecimal[] v = Arrays.stream(s).map(BigDecimal::new).toArray(BigDecimal[]::new);
        for (BigDecimal a : v) {
            StringBuilder sb = new StringBuilder();
            for (BigDecimal b : v) {
                sb.append(a.add(b)).append(a.subtract(b)).append(a.multiply(b)).append(a.compareTo(b)).append(a.equals(b)).append(a.max(b)).append(a.add(b,
                    MathContext.DECIMAL32));
                if (b.signum() != 0)
                    sb.append(a.divide(b, 5, RoundingMode.HALF_UP)).append(a.divide(b,
                        MathContext.DECIMAL64)).append(a.remainder(b)).append(a.divideToIntegralValue(b));
            }
            System.out.println(a + " " + sb.toString().hashCode());
        }
        for (RoundingMode m : RoundingMode.values()) {
            StringBuilder sb = new StringBuilder(m + "");
            for (String x : "5.5 2.5 1.6 1.1 1.0 -1.0 -1.1 -1.6 -2.5 -5.5".split(" ")) try {
                sb.append(' ').append(new BigDecimal(x).setScale(0, m));
            } catch (ArithmeticException e) {
                sb.append(" ex");
            }
            System.out.println(sb);
        }
        System.out.println(new BigDecimal(0.1) + " " + BigDecimal.valueOf(0.1) + " " + new BigDecimal(1.0 / 3) + " "
            + new BigDecimal(Double.MIN_VALUE).precision() + " " + BigDecimal.valueOf(5, 2) + BigDecimal.valueOf(5, -2)
            + new BigDecimal(new BigInteger("12345"), 3) + new BigDecimal("1.23E3", new MathContext(2))
            + new BigDecimal(new char[] {'x', '1', '.', '5'}, 1, 3) + new BigDecimal(100, new MathContext(1)));
        System.out.println(new BigDecimal("2").sqrt(MathContext.DECIMAL128) + " "
            + new BigDecimal("1e-20").sqrt(new MathContext(10)) + " " + new BigDecimal("16").sqrt(MathContext.UNLIMITED)
            + " " + new BigDecimal("1").divide(new BigDecimal("7"), new MathContext(50)) + " "
            + new BigDecimal("1").divide(new BigDecimal("8")) + " "
            + new BigDecimal("10.25").divideAndRemainder(new BigDecimal("3"))[1] + " "
            + new BigDecimal("1.5").pow(-3, MathContext.DECIMAL32) + " " + new BigDecimal("1.1").pow(100).precision()
            + " " + BigDecimal.ONE.add(new BigDecimal("1e-50"), MathContext.DECIMAL64)
            + new MathContext("precision=5 roundingMode=UP") + MathContext.DECIMAL128);
        t("nonterm", () -> BigDecimal.ONE.divide(new BigDecimal(3)));
        t("div0", () -> BigDecimal.ONE.divide(BigDecimal.ZERO));
        t("0div0", () -> BigDecimal.ZERO.divide(BigDecimal.ZERO));
        t("unnecessary", () -> new BigDecimal("1.25").setScale(1));
        t("nan", () -> new BigDecimal(Double.NaN));
        t("inf", () -> BigDecimal.valueOf(Double.POSITIVE_INFINITY));
        t("parse", () -> new BigDecimal("1.2.3"));
        t("parse2", () -> new BigDecimal(""));
        t("parse3", () -> new BigDecimal("1e"));
        t("parse4", () -> new BigDecimal(" 1"));
        t("exp", () -> new BigDecimal("1e99999999999"));
        t("exact", () -> new BigDecimal("1.5").intValueExact());
        t("longExact", () -> new BigDecimal("1e20").longValueExact());
        t("sqrt neg", () -> new BigDecimal(-1).sqrt(MathContext.DECIMAL32));
        t("pow", () -> BigDecimal.TEN.pow(1000000000));
        t("ctx", () -> new MathContext(-1));
        t("scale", () -> new BigDecimal(BigInteger.ONE, Integer.MAX_VALUE).movePointLeft(1));
        BigDecimal sum = BigDecimal.ZERO;
        for (int i = 1; i < 500; i++)
            sum = sum.add(BigDecimal.ONE.divide(BigDecimal.valueOf(i), 40, RoundingMode.HALF_EVEN));
        System.out.println(sum);
        BigDecimal e = BigDecimal.ONE, term = BigDecimal.ONE;
        for (int i = 1; i < 60; i++) {
            term = term.divide(BigDecimal.valueOf(i), 60, RoundingMode.DOWN);
            e = e.add(term);
        }
        System.out.println(e);
        Random r = new Random(2);
        int h = 0;
        for (int i = 0; i < 500; i++) {
            BigDecimal a = new BigDecimal(new BigInteger(80, r), r.nextInt(40) - 20),
                b = new BigDecimal(new BigInteger(60, r).add(BigInteger.ONE), r.nextInt(20) - 10);
            h = h * 31 + a.multiply(b).hashCode() + a.divide(b, MathContext.DECIMAL128).hashCode()
                + a.add(b).toString().hashCode() + Double.hashCode(a.doubleValue());
        }
        System.out.println(h);
        Set<BigDecimal> hs = new HashSet<>(List.of(new BigDecimal("1.0"), new BigDecimal("1.00"))),
            ts = new TreeSet<>(hs);
        System.out.println(hs.size() + " " + ts.size());
    }
}
