// jvm: --max-heap=64m
// OutOfMemoryError: array too large, heap used up and given back, and the VM goes on afterwards.
import java.util.*;

public class OutOfMemory {
    static Object keep;
    public static void main(String[] args) {
        try { keep = new int[Integer.MAX_VALUE]; } catch (OutOfMemoryError e) { System.out.println(e.getMessage()); }
        try {
            keep = new long[Integer.MAX_VALUE - 2];
        } catch (OutOfMemoryError e) {
            System.out.println(e.getMessage());
        }
        try { keep = new byte[512 << 20]; } catch (OutOfMemoryError e) { System.out.println(e.getMessage()); }
        try { keep = new Object[1000][1 << 20]; } catch (OutOfMemoryError e) { System.out.println(e.getMessage()); }
        try { keep = "x".repeat(Integer.MAX_VALUE); } catch (OutOfMemoryError e) { System.out.println(e.getMessage()); }
        try { "ab".repeat(Integer.MAX_VALUE); } catch (OutOfMemoryError e) { System.out.println(e.getMessage()); }
        try { new ArrayList<>(Integer.MAX_VALUE); } catch (OutOfMemoryError e) { System.out.println(e.getMessage()); }
        for (int round = 0; round < 2; round++) {
            List<byte[]> all = new ArrayList<>();
            int n = 0;
            try { while (n < 1000) { all.add(new byte[1 << 20]); n++; } System.out.println("never full"); }
            catch (OutOfMemoryError e) {
                int kept = all.size();
                all = null;
                System.out.println("full " + (kept > 20 && kept <= 64) + " " + e.getMessage());
            }
        }
        StringBuilder sb = new StringBuilder("0123456789abcdef");
        try {
            while (true) sb.append(sb);
        } catch (OutOfMemoryError e) {
            System.out.println("builder " + (sb.length() > 1 << 20));
        }
        sb = null;
        byte[] fine = new byte[20 << 20];
        System.out.println("again " + fine.length + " " + (Runtime.getRuntime().maxMemory() <= 64 << 20));
    }
}
