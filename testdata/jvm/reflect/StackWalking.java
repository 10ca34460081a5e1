// StackWalker with its options, caller class, frames through reflection, lambdas and streams; thread stack traces.
import java.util.*;
import java.util.stream.*;

public class StackWalking {
    static final StackWalker PLAIN = StackWalker.getInstance(),
        RET = StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE),
        ALL = StackWalker.getInstance(EnumSet.allOf(StackWalker.Option.class), 4);
    static String frames(StackWalker w) {
        return w.walk(s -> s.map(f -> f.getClassName() + "." + f.getMethodName() + ":"
            + (f.getClassName().startsWith("Stack") ? f.getLineNumber() : 0)).collect(Collectors.joining(" ")));
    }
    static Class<?> caller() { return RET.getCallerClass(); }
    static class Inner {
        static Class<?> call() { return caller(); }
        static String deep(int n) { return n == 0 ? frames(PLAIN) : deep(n - 1); }
        Inner() { System.out.println(frames(PLAIN)); }
        static { System.out.println(frames(PLAIN)); }
    }
    interface I { default String d() { return frames(RET); } }
    public static void main(String[] args) throws Exception {
        System.out.println(frames(PLAIN));
        System.out.println(Inner.call() + " " + Inner.deep(3));
        new Inner();
        System.out.println(new I() { }.d());
        Runnable r = () -> System.out.println(frames(PLAIN));
        r.run();
        System.out.println((String) StackWalking.class.getDeclaredMethod("frames", StackWalker.class).invoke(null,
            PLAIN));
        System.out.println(Stream.of(1).map(x -> PLAIN.walk(s
            -> s.filter(f -> f.getClassName().startsWith("StackWalking")).count())).toList());
        System.out.println(PLAIN.walk(s -> s.findFirst()).get().toString() + " "
            + RET.walk(s -> s.map(StackWalker.StackFrame::getDeclaringClass).toList()) + " "
            + RET.walk(s -> s.findFirst().get().getMethodType()) + " "
            + PLAIN.walk(s -> s.findFirst().get().getDescriptor()) + " "
            + PLAIN.walk(s -> s.findFirst().get().toStackTraceElement())
            + PLAIN.walk(s -> s.findFirst().get().isNativeMethod()) + PLAIN.walk(s -> s.findFirst().get().getFileName())
            + (PLAIN.walk(s -> s.findFirst().get().getByteCodeIndex()) > 0));
        try {
            PLAIN.walk(s -> s.findFirst().get().getDeclaringClass());
        } catch (UnsupportedOperationException e) {
            System.out.println(e.getMessage());
        }
        try { PLAIN.getCallerClass(); } catch (UnsupportedOperationException e) { System.out.println(e.getMessage()); }
        try { RET.getCallerClass(); } catch (IllegalCallerException e) { System.out.println(e.getMessage()); }
        Stream<?>[] esc = new Stream<?>[1];
        PLAIN.walk(s -> esc[0] = s);
        try { esc[0].count(); } catch (IllegalStateException e) { System.out.println(e.getMessage()); }
        try {
            PLAIN.walk(s -> { throw new IllegalArgumentException("inside"); });
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
        System.out.println("" + PLAIN.walk(s -> PLAIN.walk(q -> q.count()) > s.count()));
        System.out.println(rec(100));
        List<String> names = new ArrayList<>();
        PLAIN.forEach(f -> names.add(f.getMethodName()));
        System.out.println(names);
        Thread t = new Thread(() -> System.out.println(frames(PLAIN) + " "
            + Thread.currentThread().getStackTrace().length), "walker");
        t.start();
        t.join();
        System.out.println(t.getStackTrace().length + " "
            + Arrays.stream(Thread.currentThread().getStackTrace()).map(StackTraceElement::getMethodName).toList() + " "
            + Thread.getAllStackTraces().containsKey(Thread.currentThread()));
        List<Integer> sorted = new ArrayList<>(List.of(2, 1));
        sorted.sort((a, b) -> { System.out.println(frames(PLAIN).replaceAll(":\\d+", "")); return a - b; });
        Object o = new Object() {
            @Override public String toString() { return frames(PLAIN).replaceAll(":\\d+", ""); }
        };
        System.out.println("" + o);
        System.out.println(String.valueOf(o));
        System.out.println("" + ALL.walk(s -> s.map(f -> f.getMethodName()).limit(2).toList()));
    }
    static int rec(int n) { return n == 0 ? PLAIN.walk(s -> (int) s.count()) : rec(n - 1); }
}
