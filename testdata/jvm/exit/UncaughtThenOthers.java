// exit: 1
// main dies of an exception while another thread goes on; the exit code is 1 all the same.
public class UncaughtThenOthers {
    public static void main(String[] args) {
        new Thread(() -> { try { Thread.sleep(50); } catch (InterruptedException e) {
            } System.out.println("other goes on"); }).start();
        System.out.println("main");
        throw new IllegalArgumentException("main dies");
    }
}
