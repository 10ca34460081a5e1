// exit: 1
// An exception that main lets go: the trace goes to standard error and the exit code is 1.
public class Uncaught {
    static class Deep extends RuntimeException {
        Deep(String m, Throwable c) {
            super(m, c);
        }
    }

    static int divide(int a, int b) {
        return a / b;
    }

    public static void main(String[] args) {
        System.out.println("before");
        try {
            divide(1, 0);
        } catch (ArithmeticException e) {
            Deep d = new Deep("wrapped", e);
            d.addSuppressed(new IllegalStateException("side"));
            throw d;
        } finally {
            System.out.println("finally runs");
        }
    }
}
