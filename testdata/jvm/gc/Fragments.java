// jvm: --max-heap=64m
// Small survivors in every corner of the heap leave room for large arrays.
import java.util.ArrayList;
import java.util.List;

public class Fragments {
    public static void main(String[] args) {
        List<byte[]> kept = new ArrayList<>();
        for (int i = 0; i < 400_000; i++) {
            byte[] some = new byte[1000];
            if (i % 40 == 0) {
                kept.add(some);
            }
        }
        long sum = 0;
        for (int i = 0; i < 50; i++) {
            int[] large = new int[2 << 20];
            large[i] = i;
            sum += large.length + large[i];
        }
        System.out.println(kept.size() + " " + sum);
    }
}
