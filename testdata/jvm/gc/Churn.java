// jvm: --max-heap=256m
// Allocation of 1.2 million arrays of a kilobyte each with a sliding window kept alive: about 1.2 GB through a small heap.
public class Churn {
    public static void main(String[] args) {
        byte[][] window = new byte[1000][];
        long sum = 0;
        for (int i = 0; i < 1_200_000; i++) {
            byte[] b = new byte[1024];
            b[i & 1023] = (byte) i;
            byte[] old = window[i % window.length];
            if (old != null) {
                sum += old[(i - window.length) & 1023];
            }
            window[i % window.length] = b;
        }
        System.out.println(sum);
        int nonZero = 0;
        for (byte[] b : window) {
            for (byte x : b) {
                if (x != 0) {
                    nonZero++;
                }
            }
        }
        System.out.println(nonZero);
    }
}
