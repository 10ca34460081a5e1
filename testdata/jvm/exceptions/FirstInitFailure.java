// The first initialiser that fails does so with an error, so that no ExceptionInInitializerError was needed before.
public class FirstInitFailure {
    static class Broken {
        static final int VALUE;

        static {
            if (true) {
                throw new UnsatisfiedLinkError("no library");
            }
            VALUE = 1;
        }
    }

    static void use() {
        try {
            System.out.println(Broken.VALUE);
        } catch (Throwable e) {
            System.out.println(e + " / " + e.getCause());
        }
    }

    public static void main(String[] args) {
        use();
        use();
        use();
    }
}
