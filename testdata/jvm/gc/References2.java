// jvm: -Xmx64m
// Weak references live on while little is allocated and go at System.gc(); soft ones go before memory runs out.
import java.lang.ref.*;
import java.util.*;

public class References2 {
    static Object sink;

    public static void main(String[] args) throws Exception {
        WeakReference<Object> weak = new WeakReference<>(new Object());
        Map<Object, String> registry = new WeakHashMap<>();
        registry.put(new ArrayList<>(), "entry");
        for (int i = 0; i < 1000; i++) sink = new byte[100];
        System.out.println((weak.get() != null) + " " + registry.size());
        for (int i = 0; i < 10 && weak.get() != null; i++) {
            System.gc();
            Thread.sleep(10);
        }
        System.out.println((weak.get() != null) + " " + registry.size());

        List<SoftReference<byte[]>> soft = new ArrayList<>();
        for (int i = 0; i < 400; i++) {
            soft.add(new SoftReference<>(new byte[1 << 20]));
        }
        long alive = soft.stream().filter(s -> s.get() != null).count();
        System.out.println(alive < 64 && alive > 0);
        SoftReference<Object> kept = new SoftReference<>(new Object());
        System.gc();
        System.out.println(soft.size() + " " + (kept.get() != null));
    }
}
