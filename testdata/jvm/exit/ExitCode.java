// exit: 3
// System.exit: hooks run, finally blocks do not, nothing after it runs.
public class ExitCode {
    public static void main(String[] args) {
        Runtime.getRuntime().addShutdownHook(new Thread(() -> System.out.println("hook")));
        try {
            System.out.println("exiting");
            System.exit(3);
        } finally {
            System.out.println("never: finally");
        }
        System.out.println("never");
    }
}
