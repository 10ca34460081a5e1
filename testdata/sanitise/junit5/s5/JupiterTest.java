package s5;

import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertThrowsExactly;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.fail;

import java.io.IOException;
import java.net.ConnectException;
import java.net.Socket;
import java.net.SocketException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** JUnit 5: the same rules. */
class JupiterTest {
    static final ExecutorService POOL = Executors.newFixedThreadPool(1);

    @BeforeAll
    static void warm() throws Exception {
        POOL.submit(() -> { }).get();
    }

    @AfterAll
    static void end() {
        POOL.shutdownNow();
    }

    static String fetch() {
        try {
            new Socket("localhost", 1).close();
            return "content";
        } catch (IOException e) {
            return null;
        }
    }

    //~ sanitised thrown java.net.ConnectException localhost:1
    @Test
    void thrown() throws IOException {
        new Socket("localhost", 1).close();
    }

    //~ sanitised created java.net.ConnectException localhost:1
    @Test
    void created() {
        assertNotNull(fetch());
    }

    //~ sanitised thrown java.net.ConnectException localhost:1
    @Test
    void inAssertAll() {
        assertAll(() -> assertEquals(1, 1), () -> new Socket("localhost", 1).close());
    }

    //~ sanitised thrown java.net.ConnectException localhost:1
    @Test
    void doesNotThrow() {
        assertDoesNotThrow(() -> new Socket("localhost", 1).close());
    }

    //~ sanitised thrown java.net.ConnectException localhost:1
    @Test
    void preemptively() {
        assertTimeoutPreemptively(Duration.ofSeconds(10), () -> new Socket("localhost", 1).close());
    }

    // The client tries again; what is reported is the first attempt.
    //~ sanitised created java.net.ConnectException localhost:1
    @Test
    void httpClient() throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://localhost:1/")).build();
        HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
    }

    //~ sanitised created java.net.ConnectException localhost:1
    @Test
    void inAnExecutor() throws Exception {
        assertNotNull(POOL.submit(JupiterTest::fetch).get());
    }

    //~ failed
    @Test
    void expected() {
        assertThrows(ConnectException.class, () -> new Socket("localhost", 1).close());
        assertEquals(1, 2);
    }

    //~ failed
    @Test
    void expectedExactly() {
        assertThrowsExactly(ConnectException.class, () -> new Socket("localhost", 1).close());
        assertEquals(1, 2);
    }

    //~ sanitised thrown java.net.ConnectException localhost:1
    @Test
    void expectedExactlyAnother() {
        assertThrowsExactly(SocketException.class, () -> new Socket("localhost", 1).close());
    }

    //~ sanitised thrown java.net.ConnectException localhost:1
    @Test
    void expectedSomethingElse() {
        assertThrows(IllegalStateException.class, () -> new Socket("localhost", 1).close());
    }

    //~ failed
    @Test
    void tryFailCatch() {
        try {
            new Socket("localhost", 1).close();
            fail("nobody listens there");
        } catch (IOException expected) {
            assertNotNull(expected);
        }
        assertEquals(1, 2);
    }

    //~ failed
    @Test
    void neverThrown() {
        assertEquals("x", new SocketException("only made").getMessage());
    }

    //~ passed
    @Test
    void passing() {
        fetch();
    }

    @Nested
    class InConstructor {
        private final String content = fetch();

        //~ sanitised created java.net.ConnectException localhost:1
        @Test
        void swallowed() {
            assertNotNull(content);
        }
    }

    @Nested
    class InConstructorThrown {
        InConstructorThrown() throws IOException {
            new Socket("localhost", 1).close();
        }

        //~ sanitised thrown java.net.ConnectException localhost:1
        @Test
        void never() {
        }
    }

    @Nested
    class InFixtures {
        @BeforeEach
        void connect() throws IOException {
            new Socket("localhost", 1).close();
        }

        //~ sanitised thrown java.net.ConnectException localhost:1
        @Test
        void never() {
        }
    }

    @Nested
    class InFixturesAfter {
        @AfterEach
        void connect() throws IOException {
            new Socket("localhost", 1).close();
        }

        //~ sanitised thrown java.net.ConnectException localhost:1
        @Test
        void once() {
        }
    }
}
