// exit: 7
// A thread that is not main calls exit while main waits for ever.
public class ExitInThread {
    public static void main(String[] args) throws Exception {
        Thread t = new Thread(() -> { System.out.println("leaving"); System.exit(7); });
        t.start();
        synchronized (args) {
            args.wait();
        }
    }
}
