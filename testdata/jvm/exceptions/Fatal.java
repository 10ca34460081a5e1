// exit: 1
// An error in a static initialiser of the main class's helper, thrown out of main through several frames.
public class Fatal {
    static class Broken {
        static final int V = compute();

        static int compute() {
            throw new IllegalStateException("cannot compute", new java.io.IOException("disk"));
        }
    }

    static void use() {
        System.out.println(Broken.V);
    }

    public static void main(String[] args) {
        System.out.println("start");
        Runnable r = Fatal::use;
        r.run();
    }
}
