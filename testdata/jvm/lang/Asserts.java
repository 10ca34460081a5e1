// jvm: -ea
// Assertions switched on: messages, side effects, and assertion status by class.
public class Asserts {
    static int evaluated;

    static boolean touch(boolean b) {
        evaluated++;
        return b;
    }

    static void attempt(Runnable r) {
        try {
            r.run();
            System.out.println("passed");
        } catch (AssertionError e) {
            System.out.println(e + " | " + e.getMessage() + " | " + e.getCause());
        }
    }

    public static void main(String[] args) {
        attempt(() -> {
            assert touch(true) : "never";
        });
        attempt(() -> {
            assert touch(false);
        });
        attempt(() -> {
            assert touch(false) : "text";
        });
        attempt(() -> {
            assert touch(false) : 42;
        });
        attempt(() -> {
            assert touch(false) : 'c';
        });
        attempt(() -> {
            assert touch(false) : 1.5f;
        });
        attempt(() -> {
            assert touch(false) : new IllegalStateException("cause");
        });
        attempt(() -> {
            assert touch(false) : (Object) null;
        });
        System.out.println(evaluated + " " + Asserts.class.desiredAssertionStatus() + " "
            + Inner.class.desiredAssertionStatus()
            + " " + String.class.desiredAssertionStatus());
    }

    static class Inner {
    }
}
