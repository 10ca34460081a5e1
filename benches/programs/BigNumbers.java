// BigInteger products, quotients and powers; BigDecimal sums.
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;

public class BigNumbers {
    public static void main(String[] args) {
        BigInteger factorial = BigInteger.ONE;
        for (int i = 2; i < 3000; i++) {
            factorial = factorial.multiply(BigInteger.valueOf(i));
        }
        BigInteger fibonacci = BigInteger.ONE;
        BigInteger before = BigInteger.ZERO;
        for (int i = 0; i < 12_000; i++) {
            BigInteger next = fibonacci.add(before);
            before = fibonacci;
            fibonacci = next;
        }
        BigInteger modulus = BigInteger.ONE.shiftLeft(521).subtract(BigInteger.ONE);
        BigInteger power = BigInteger.valueOf(3).modPow(modulus.shiftRight(250), modulus);
        BigDecimal sum = BigDecimal.ZERO;
        for (int i = 1; i < 30_000; i++) {
            sum = sum.add(BigDecimal.ONE.divide(BigDecimal.valueOf(i), MathContext.DECIMAL64));
        }
        System.out.println(factorial.hashCode() + " " + fibonacci.mod(modulus).hashCode() + " " + power.hashCode() + " "
            + factorial.toString().length() + " " + sum.round(MathContext.DECIMAL32));
    }
}
