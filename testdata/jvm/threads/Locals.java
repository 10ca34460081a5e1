// ThreadLocal, InheritableThreadLocal, withInitial, remove, inheritance at creation time, childValue, many locals per thread.
import java.util.*;
import java.util.concurrent.*;

public class Locals {
    static final ThreadLocal<Integer> TL = ThreadLocal.withInitial(() -> 5);
    static final ThreadLocal<String> PLAIN = new ThreadLocal<>();
    static final InheritableThreadLocal<String> INH = new InheritableThreadLocal<>();
    static final InheritableThreadLocal<List<String>> KID = new InheritableThreadLocal<>() {
        @Override protected List<String> childValue(List<String> p) {
            List<String> c = new ArrayList<>(p);
            c.add("child");
            return c;
        }
        @Override protected List<String> initialValue() { return List.of("init"); }
    };
    static void in(Runnable r) throws Exception { Thread t = new Thread(r); t.start(); t.join(); }
    public static void main(String[] args) throws Exception {
        TL.set(7);
        PLAIN.set("main");
        INH.set("inh");
        System.out.println(TL.get() + PLAIN.get() + INH.get() + KID.get());
        in(() -> { System.out.println(TL.get() + PLAIN.get() + INH.get() + KID.get()); TL.set(9); INH.set("changed");
            try { in(() -> System.out.println("grandchild " + TL.get() + INH.get() + KID.get()));
            } catch (Exception e) { throw new RuntimeException(e); } });
        System.out.println(TL.get() + INH.get());
        TL.remove();
        System.out.println(TL.get());
        INH.remove();
        in(() -> System.out.println(INH.get()));
        Thread before = new Thread(() -> System.out.println("late " + INH.get()));
        INH.set("after construction");
        before.start();
        before.join();
        Thread no = new Thread(null, () -> System.out.println("no inherit " + INH.get()), "n", 0, false);
        no.start();
        no.join();
        List<ThreadLocal<Integer>> many = new ArrayList<>();
        for (int i = 0; i < 300; i++) { int k = i; many.add(ThreadLocal.withInitial(() -> k)); }
        int s = 0;
        for (ThreadLocal<Integer> t : many) s += t.get();
        for (int i = 0; i < 300; i += 3) many.get(i).remove();
        for (int i = 0; i < 300; i += 2) many.get(i).set(-1);
        for (ThreadLocal<Integer> t : many) s += t.get();
        System.out.println(s);
        int[] inits = {0};
        ThreadLocal<Object> counting = new ThreadLocal<>() {
            @Override protected Object initialValue() { inits[0]++; return null; }
        };
        counting.get();
        counting.get();
        counting.remove();
        counting.get();
        System.out.println(inits[0]);
        ThreadLocal<Integer> rec = ThreadLocal.withInitial(() -> TL.get() + 1);
        System.out.println(rec.get());
        ExecutorService ex = Executors.newFixedThreadPool(1);
        ex.submit(() -> PLAIN.set("pooled")).get();
        System.out.println(ex.submit(PLAIN::get).get());
        ex.shutdown();
        ThreadLocal<StringBuilder> sb = ThreadLocal.withInitial(StringBuilder::new);
        Thread[] ts = new Thread[4];
        String[] out = new String[4];
        for (int i = 0; i < 4; i++) {
            int k = i;
            ts[i] = new Thread(() -> { for (int j = 0; j < 50; j++) { sb.get().append(k);
                if (j % 10 == 0) Thread.yield(); } out[k] = sb.get().toString(); });
            ts[i].start();
        }
        for (Thread t : ts) t.join();
        for (int i = 0; i < 4; i++) System.out.print(out[i].equals(String.valueOf(i).repeat(50)) + " ");
        System.out.println();
        try { ThreadLocal.withInitial(null); } catch (NullPointerException e) { System.out.println("npe"); }
        try {
            ThreadLocal.withInitial(() -> { throw new IllegalStateException("init"); }).get();
        } catch (IllegalStateException e) {
            System.out.println(e.getMessage());
        }
    }
}
