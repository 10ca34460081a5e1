// jvm: --enable-preview
// Primitive patterns (JEP 507) and stable values (JEP 502): the class file has the minor version 65535.
import java.util.*;
import java.util.function.*;

public class Previews {
    static final StableValue<String> ONCE = StableValue.of();

    static String size(int n) {
        return switch (n) {
            case 0 -> "zero";
            case byte b -> "byte " + b;
            case int i when i > 100_000 -> "large";
            case int i -> "int " + i;
        };
    }

    public static void main(String[] args) throws Exception {
        System.out.println(size(0) + " " + size(5) + " " + size(1000) + " " + size(1_000_000));
        Object o = 7;
        if (o instanceof int i) {
            System.out.println("int " + i);
        }
        long big = 1L << 40;
        System.out.println((big instanceof int) + " " + (5L instanceof int x ? x : -1));
        System.out.println(ONCE.orElseSet(() -> "made") + ONCE.orElseSet(() -> "again"));
        Supplier<Integer> lazy = StableValue.supplier(() -> {
            System.out.println("computed");
            return 1;
        });
        System.out.println(lazy.get() + lazy.get());
        List<Integer> list = StableValue.list(3, i -> i * 10);
        System.out.println(list.get(2) + " " + list);
        var in = Previews.class.getResourceAsStream("Previews.class");
        byte[] bytes = in.readNBytes(8);
        System.out.println(((bytes[4] & 255) << 8 | bytes[5] & 255) + " " + (bytes[7] & 255));
    }
}
