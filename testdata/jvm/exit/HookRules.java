// exit: 4
// Shutdown hooks: adding twice, removing, adding during shutdown, exceptions in hooks, exit within a hook's thread is avoided.
public class HookRules {
    public static void main(String[] args) {
        Runtime rt = Runtime.getRuntime();
        Thread a = new Thread(() -> System.out.println("removed"), "a");
        rt.addShutdownHook(a);
        try { rt.addShutdownHook(a); } catch (IllegalArgumentException e) { System.out.println(e.getMessage()); }
        System.out.println(rt.removeShutdownHook(a) + " " + rt.removeShutdownHook(a));
        Thread running = new Thread(() -> { try { Thread.sleep(100000); } catch (InterruptedException e) { } });
        running.setDaemon(true);
        running.start();
        try { rt.addShutdownHook(running); } catch (IllegalArgumentException e) { System.out.println(e.getMessage()); }
        try { rt.addShutdownHook(null); } catch (NullPointerException e) { System.out.println("npe"); }
        rt.addShutdownHook(new Thread(() -> {
            try {
                rt.addShutdownHook(new Thread());
            } catch (IllegalStateException e) {
                System.out.println(e.getMessage());
            }
            try { rt.removeShutdownHook(a); } catch (IllegalStateException e) { System.out.println(e.getMessage()); }
            System.out.println(Thread.currentThread().getName());
            throw new IllegalStateException("from hook");
        }, "hook"));
        System.exit(4);
    }
}
