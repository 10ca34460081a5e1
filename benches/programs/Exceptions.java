// Exceptions thrown and caught at several depths, finally blocks, and exceptions the VM itself raises.
public class Exceptions {
    static int depth(int n) {
        if (n == 0) {
            throw new IllegalStateException("bottom");
        }
        try {
            return depth(n - 1) + 1;
        } finally {
            count++;
        }
    }

    static int count;

    public static void main(String[] args) {
        int sum = 0;
        Object nothing = args.length == 0 ? null : args;
        int[] array = new int[4];
        for (int i = 0; i < 120_000; i++) {
            try {
                sum += depth(i & 7);
            } catch (IllegalStateException e) {
                sum += e.getMessage().length() + e.getStackTrace().length;
            }
            try {
                switch (i & 3) {
                    case 0 -> sum += nothing.hashCode();
                    case 1 -> array[i & 1 | 4]++;
                    case 2 -> sum += 1 / (i & 1);
                    default -> sum += ((Integer) (Object) "s");
                }
            } catch (RuntimeException e) {
                // No trace here: HotSpot leaves it out once the code is compiled.
                sum += e instanceof ArithmeticException ? 2 : 1;
            }
        }
        System.out.println(sum + " " + count);
    }
}
