// Integer, long and floating-point arithmetic in tight loops.
public class Arithmetic {
    public static void main(String[] args) {
        int a = 1;
        long b = 1;
        double c = 1;
        for (int i = 1; i < 25_000_000; i++) {
            a = a * 31 + (i ^ a >>> 7);
            b += (long) a * i - (b >> 3);
            c = c * 0.999 + (a & 1023);
            if ((a & 15) == 3) {
                b ^= i;
            }
        }
        System.out.println(a + " " + b + " " + Double.toHexString(c));
    }
}
