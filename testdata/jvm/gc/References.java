// Weak, soft and phantom references, queues, clearing, enqueueing, WeakHashMap: what a collection must do to each.
import java.lang.ref.*;
import java.util.*;

public class References {
    static Object strong; static class Big { byte[] b = new byte[1000]; }
    static WeakReference<Object> weak(ReferenceQueue<Object> q) { return new WeakReference<>(new Big(), q); }
    static PhantomReference<Object> phantom(ReferenceQueue<Object> q) { return new PhantomReference<>(new Big(), q); }
    static void gcUntil(java.util.function.BooleanSupplier done) throws InterruptedException {
        for (int i = 0; i < 50 && !done.getAsBoolean(); i++) { System.gc(); Thread.sleep(10); }
    }
    static void fill(WeakHashMap<Object, String> m, int n) { for (int i = 0; i < n; i++) m.put(new Big(), "v" + i); }
    public static void main(String[] args) throws Exception {
        ReferenceQueue<Object> q = new ReferenceQueue<>();
        WeakReference<Object> w = weak(q);
        SoftReference<Object> s = new SoftReference<>(new Big());
        PhantomReference<Object> p = phantom(q);
        strong = new Big();
        WeakReference<Object> kept = new WeakReference<>(strong, q);
        System.out.println((p.get() == null) + " " + (kept.get() == strong) + " " + kept.refersTo(strong)
            + kept.refersTo(null) + " " + (q.poll() == null));
        gcUntil(() -> w.get() == null);
        System.out.println((w.get() == null) + " " + w.refersTo(null) + " " + (s.get() != null) + " "
            + (kept.get() != null));
        Set<Reference<?>> got = new HashSet<>();
        for (int i = 0; i < 2; i++) {
            Reference<?> r = q.remove(2000);
            if (r == null) { System.gc(); r = q.remove(2000); }
            got.add(r);
        }
        System.out.println(got.contains(w) + " " + got.contains(p) + " " + got.size() + " " + (q.poll() == null));
        strong = null;
        gcUntil(() -> kept.get() == null);
        System.out.println((q.remove(2000) == kept) + " " + kept.enqueue());
        WeakReference<String> man = new WeakReference<>("literal", new ReferenceQueue<>());
        System.out.println(man.enqueue() + " " + man.enqueue() + " " + man.get());
        man = new WeakReference<>("x");
        man.clear();
        System.out.println(man.get() + " " + man.enqueue());
        long t = System.nanoTime();
        System.out.println(q.remove(5) + " " + (q.poll() == null));
        try { q.remove(-1); } catch (IllegalArgumentException e) { System.out.println(e.getMessage()); }
        try {
            new PhantomReference<>(new Object(), null).get();
            System.out.println("null queue fine");
        } catch (NullPointerException e) {
            System.out.println("npe");
        }
        WeakHashMap<Object, String> m = new WeakHashMap<>();
        Object key = new Big();
        m.put(key, "kept");
        fill(m, 20);
        System.out.println(m.size() <= 21 && m.size() > 0);
        gcUntil(() -> m.size() == 1);
        System.out.println(m.size() + " " + m.get(key) + m.containsKey(key) + m.values());
        Reference.reachabilityFence(key);
        WeakReference<Object>[] chain = new WeakReference[3];
        Object a = new Object[] {null};
        ((Object[]) a)[0] = new Object[] {a};
        chain[0] = new WeakReference<>(a);
        a = null;
        gcUntil(() -> chain[0].get() == null);
        System.out.println("cycle " + (chain[0].get() == null));
        ClassLoader[] cl = {new ClassLoader() { }};
        WeakReference<ClassLoader> wl = new WeakReference<>(cl[0]);
        cl[0] = null;
        gcUntil(() -> wl.get() == null);
        System.out.println("loader " + (wl.get() == null));
        ThreadLocal<Big> tl = ThreadLocal.withInitial(Big::new);
        WeakReference<Big> tw = new WeakReference<>(tl.get());
        System.gc();
        System.out.println(tw.get() != null);
        tl.remove();
        gcUntil(() -> tw.get() == null);
        System.out.println(tw.get() == null);
        List<SoftReference<byte[]>> softs = new ArrayList<>();
        for (int i = 0; i < 5; i++) softs.add(new SoftReference<>(new byte[10]));
        System.gc();
        System.out.println(softs.stream().filter(x -> x.get() != null).count());
        WeakReference<Object> interned = new WeakReference<>("lit".concat("eral2").intern());
        WeakReference<Integer> cached = new WeakReference<>(Integer.valueOf(100));
        System.gc();
        System.out.println(cached.get());
    }
}
