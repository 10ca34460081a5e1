// BigInteger: arithmetic at every size the algorithms switch at, bits, modular, primes, roots, radix, conversions, errors.
import java.math.*;
import java.util.*;

public class BigIntegers {
    interface T { Object run() throws Throwable; }
    static void t(String n, T r) {
        try {
            System.out.println(n + " " + r.run());
        } catch (Throwable e) {
            System.out.println(n + " !" + e.getClass().getSimpleName() + ": " + e.getMessage());
        }
    }
    public static void main(String[] args) {
        BigInteger[] v = {BigInteger.ZERO, BigInteger.ONE, BigInteger.TWO, BigInteger.TEN.negate(),
            BigInteger.valueOf(Long.MIN_VALUE), BigInteger.valueOf(Long.MAX_VALUE),
            new BigInteger("123456789012345678901234567890"), new BigInteger("-ffffffffffffffffffff", 16),
            BigInteger.ONE.shiftLeft(100), BigInteger.valueOf(-255)};
        for (BigInteger a : v) {
            int h = 0;
            for (BigInteger b : v) {
                h = h * 31 + a.add(b).hashCode();
                h = h * 31 + a.subtract(b).hashCode();
                h = h * 31 + a.multiply(b).hashCode();
                h = h * 31 + a.and(b).hashCode() + a.or(b).hashCode() + a.xor(b).hashCode() + a.andNot(b).hashCode();
                h = h * 31 + a.gcd(b).hashCode() + a.compareTo(b) + a.max(b).hashCode();
                if (b.signum() != 0) {
                    BigInteger[] q = a.divideAndRemainder(b);
                    h = h * 31 + q[0].hashCode() + q[1].hashCode();
                    if (b.signum() > 0) h = h * 31 + a.mod(b).hashCode();
                }
            }
            System.out.println(a + " " + a.toString(16) + " " + a.toString(36) + " " + h + " " + a.bitLength() + " "
                + a.bitCount() + " " + a.getLowestSetBit() + " " + a.signum() + " " + a.not() + a.negate().abs() + " "
                + a.shiftLeft(7) + " " + a.shiftRight(3) + " " + a.intValue() + " " + a.longValue() + " "
                + a.doubleValue() + " " + a.floatValue() + " " + Arrays.toString(a.toByteArray()) + a.testBit(5)
                + a.setBit(70).bitLength() + a.clearBit(0) + a.flipBit(1) + a.pow(3));
        }
        BigInteger f = BigInteger.ONE;
        for (int i = 2; i <= 300; i++) f = f.multiply(BigInteger.valueOf(i));
        System.out.println(f.bitLength() + " " + f.toString().length() + " " + f.hashCode() + " "
            + f.toString().hashCode() + " " + new BigInteger(f.toString()).equals(f) + f.sqrt().hashCode());
        Random r = new Random(5);
        for (int bits : new int[] {100, 2000, 3000, 9000}) {
            BigInteger a = new BigInteger(bits, r), b = new BigInteger(bits / 2 + 50, r), p = a.multiply(b);
            System.out.println(bits + " " + p.hashCode() + " " + p.divide(a).equals(b) + a.multiply(a).equals(a.pow(2))
                + " " + a.mod(b).hashCode() + " " + p.toString().hashCode() + " " + (bits > 3000 ? "" : a.gcd(b)) + " "
                + (bits > 3000 ? "" : p.sqrt().hashCode()));
        }
        BigInteger m = new BigInteger("1000000007"), base = new BigInteger("123456789");
        System.out.println(base.modPow(new BigInteger("987654321987654321"), m) + " " + base.modInverse(m) + " "
            + base.modPow(BigInteger.TEN.negate(), m) + " " + base.modPow(BigInteger.TEN, BigInteger.valueOf(1024))
            + " " + m.isProbablePrime(20) + base.isProbablePrime(20) + " " + base.nextProbablePrime() + " "
            + new BigInteger(64, 10, new Random(3)) + " " + BigInteger.probablePrime(40, new Random(9)) + " "
            + new BigInteger("170141183460469231731687303715884105727").isProbablePrime(10) + " "
            + Arrays.toString(new BigInteger("1000000").sqrtAndRemainder()));
        t("div0", () -> base.divide(BigInteger.ZERO));
        t("mod neg", () -> base.mod(BigInteger.TEN.negate()));
        t("inverse", () -> BigInteger.TWO.modInverse(BigInteger.TEN));
        t("pow neg", () -> base.pow(-1));
        t("sqrt neg", () -> base.negate().sqrt());
        t("parse", () -> new BigInteger("12a"));
        t("parse sign", () -> new BigInteger("+-1"));
        t("radix", () -> new BigInteger("1", 99));
        t("bytes", () -> new BigInteger(new byte[0]));
        t("exact", () -> BigInteger.TEN.pow(40).longValueExact());
        t("intExact", () -> BigInteger.valueOf(1L << 40).intValueExact());
        t("byteExact", () -> BigInteger.valueOf(-128).byteValueExact());
        t("shift", () -> BigInteger.ONE.shiftLeft(Integer.MAX_VALUE));
        t("bit", () -> BigInteger.ONE.testBit(-1));
        t("mag", () -> new BigInteger(-1, new byte[] {1, 0}) + "" + new BigInteger(new byte[] {-1, 0})
            + new BigInteger(1, new byte[] {-1}) + BigInteger.valueOf(5).equals(new BigInteger("5"))
            + (BigInteger.valueOf(3) == BigInteger.valueOf(3)));
        BigInteger a = BigInteger.ZERO, b = BigInteger.ONE;
        for (int i = 0; i < 1000; i++) { BigInteger n = a.add(b); a = b; b = n; }
        System.out.println(a);
        BigInteger pi = piDigits(100);
        System.out.println(pi);
    }
    static BigInteger piDigits(int n) {
        BigInteger unity = BigInteger.TEN.pow(n + 10);
        return atan(5, unity).multiply(BigInteger.valueOf(16)).subtract(atan(239,
            unity).multiply(BigInteger.valueOf(4))).divide(BigInteger.TEN.pow(10));
    }
    static BigInteger atan(int x, BigInteger unity) {
        BigInteger t = unity.divide(BigInteger.valueOf(x)), sum = t, x2 = BigInteger.valueOf((long) x * x);
        for (int i = 3, s = -1; t.signum() != 0; i += 2, s = -s) {
            t = t.divide(x2);
            sum = sum.add(t.divide(BigInteger.valueOf(i)).multiply(BigInteger.valueOf(s)));
        }
        return sum;
    }
}
