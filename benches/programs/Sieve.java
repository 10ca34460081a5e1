// The sieve of Eratosthenes, many times over: array stores and loads.
public class Sieve {
    public static void main(String[] args) {
        int sum = 0;
        for (int round = 0; round < 45; round++) {
            boolean[] composite = new boolean[500_000 + round];
            for (int i = 2; i * i < composite.length; i++) {
                if (!composite[i]) {
                    for (int j = i * i; j < composite.length; j += i) {
                        composite[j] = true;
                    }
                }
            }
            for (int i = 2; i < composite.length; i++) {
                if (!composite[i]) {
                    sum += i;
                }
            }
        }
        System.out.println(sum);
    }
}
