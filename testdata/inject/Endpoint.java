package inject;

/** A server whose state outlives the tests that use it. */
final class Endpoint {
    private static boolean ready;
    private static String message;

    private Endpoint() {}

    static void reset() {
        ready = true;
        message = null;
    }

    static void connect() {
        if (!ready) {
            throw new IllegalStateException("not ready");
        }
    }

    static void close(String reason) {
        message = reason;
    }

    static String message() {
        return message;
    }
}
