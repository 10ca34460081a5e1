// exit: 5
// The default uncaught handler ends the VM with a code of its own; output printed without newline is not lost.
public class ExitFromHandler {
    public static void main(String[] args) {
        Thread.setDefaultUncaughtExceptionHandler((t, e)
            -> { System.out.print("handler " + e.getMessage() + " "); System.exit(5); });
        Runtime.getRuntime().addShutdownHook(new Thread(() -> System.out.print("hook, no newline")));
        throw new IllegalStateException("up");
    }
}
