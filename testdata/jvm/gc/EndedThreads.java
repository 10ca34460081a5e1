// A thread that has ended is collected, with all that only it refers to.
import java.lang.ref.WeakReference;

public class EndedThreads {
    static class Holder extends Thread {
        final Object held = new Object();
        WeakReference<Object> seen;
        @Override public void run() { seen = new WeakReference<>(held); }
    }

    static boolean gone(WeakReference<?> reference) {
        for (int i = 0; i < 20 && reference.get() != null; i++) {
            System.gc();
        }
        return reference.get() == null;
    }

    static WeakReference<?>[] start() throws InterruptedException {
        Holder thread = new Holder();
        thread.setContextClassLoader(new ClassLoader() { });
        thread.start();
        thread.join();
        return new WeakReference<?>[] {new WeakReference<>(thread), thread.seen,
            new WeakReference<>(thread.getContextClassLoader())};
    }

    public static void main(String[] args) throws Exception {
        WeakReference<?>[] references = start();
        System.out.println(gone(references[0]) + " " + gone(references[1]) + " " + gone(references[2]));
        Thread kept = new Thread(() -> System.out.println("ran"));
        kept.start();
        kept.join();
        System.gc();
        System.out.println(kept.isAlive() + " " + kept.getState() + " " + kept.getThreadGroup());
    }
}
