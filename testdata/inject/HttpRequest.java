package inject;

/** Connects through a factory that anybody may set. */
final class HttpRequest {
    interface ConnectionFactory {
        int connect(String url);
    }

    private static final ConnectionFactory DEFAULT = url -> url.startsWith("http://localhost") ? 200 : 404;
    private static ConnectionFactory factory = DEFAULT;

    private HttpRequest() {}

    static void setConnectionFactory(ConnectionFactory other) {
        factory = other == null ? DEFAULT : other;
    }

    static int code(String url) {
        return factory.connect(url);
    }
}
