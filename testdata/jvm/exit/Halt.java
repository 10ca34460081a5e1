// exit: 9
// Runtime.halt skips the hooks.
public class Halt {
    public static void main(String[] args) {
        Runtime.getRuntime().addShutdownHook(new Thread(() -> System.out.println("never")));
        System.out.println("halting");
        Runtime.getRuntime().halt(9);
    }
}
