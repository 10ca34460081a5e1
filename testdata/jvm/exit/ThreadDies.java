// An exception in a thread that is not main is printed, and the exit code stays 0.
public class ThreadDies {
    public static void main(String[] args) throws Exception {
        Thread t = new Thread(() -> { throw new IllegalStateException("thread dies", new RuntimeException("cause")); },
            "worker-7");
        t.start();
        t.join();
        Thread u = new Thread(() -> { int[] a = new int[1]; a[2] = 3; }, "worker-8");
        u.start();
        u.join();
        System.out.println("main fine");
    }
}
