// exit: 1
// The main class itself cannot be initialised.
public class MainInitFails {
    static {
        System.out.println("initialising");
        Object o = null;
        o.toString();
    }

    public static void main(String[] args) {
        System.out.println("never");
    }
}
