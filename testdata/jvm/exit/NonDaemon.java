// main returns while other threads work on: the VM waits for those that are no daemons, and only for those.
public class NonDaemon {
    public static void main(String[] args) {
        Thread d = new Thread(() -> { try { Thread.sleep(1_000_000); } catch (InterruptedException e) {
            } System.out.println("never"); });
        d.setDaemon(true);
        d.start();
        Runtime.getRuntime().addShutdownHook(new Thread(() -> System.out.println("hook last")));
        new Thread(() -> {
            try { Thread.sleep(30); } catch (InterruptedException e) { }
            System.out.println("worker done");
            new Thread(() -> { try { Thread.sleep(10); } catch (InterruptedException e) {
                } System.out.println("grandchild done"); }).start();
        }).start();
        System.out.println("main done");
    }
}
