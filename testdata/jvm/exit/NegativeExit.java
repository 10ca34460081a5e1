// exit: 254
// Exit codes are cut to eight bits by the system.
public class NegativeExit {
    public static void main(String[] args) {
        System.out.println("bye");
        System.err.println("to stderr");
        System.exit(-2);
    }
}
