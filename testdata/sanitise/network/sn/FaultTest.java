package sn;

import static org.junit.Assert.assertEquals;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.net.HttpURLConnection;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URL;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import org.junit.Test;

/** What a program sees of the network: its own servers, those of the machine, and faults. */
public class FaultTest {
    private static final int PORT = Integer.getInteger("port", 1);
    private static final String HOST = System.getProperty("host", "service.example");

    @Test
    public void connects() throws Exception {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(HOST, PORT));
            socket.getOutputStream().write("GET / HTTP/1.0\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            assertEquals('H', socket.getInputStream().read());
        }
    }

    @Test
    public void connectsWithin() throws Exception {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(HOST, PORT), 2000);
            socket.setSoTimeout(2000);
            socket.getOutputStream().write("GET / HTTP/1.0\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            assertEquals('H', socket.getInputStream().read());
        }
    }

    @Test
    public void fetches() throws Exception {
        HttpURLConnection connection = (HttpURLConnection) new URL("http://" + HOST + ":" + PORT + "/").openConnection();
        assertEquals(200, connection.getResponseCode());
        try (BufferedReader in = new BufferedReader(new InputStreamReader(connection.getInputStream()))) {
            assertEquals("hello", in.readLine());
        }
    }

    @Test
    public void selects() throws Exception {
        try (Selector selector = Selector.open(); SocketChannel channel = SocketChannel.open()) {
            channel.configureBlocking(false);
            channel.connect(new InetSocketAddress(InetAddress.getByName(HOST), PORT));
            channel.register(selector, SelectionKey.OP_CONNECT);
            selector.select(5000);
            assertEquals(true, channel.finishConnect());
            channel.write(StandardCharsets.US_ASCII.encode("GET / HTTP/1.0\r\n\r\n"));
            channel.keyFor(selector).interestOps(SelectionKey.OP_READ);
            ByteBuffer buffer = ByteBuffer.allocate(4096);
            while (channel.read(buffer) >= 0) {
                selector.selectedKeys().clear();
                selector.select(5000);
            }
            buffer.flip();
            assertEquals(true, StandardCharsets.US_ASCII.decode(buffer).toString().endsWith("hello\n"));
        }
    }

    @Test
    public void ownServer() throws Exception {
        try (ServerSocket server = new ServerSocket(0)) {
            Thread thread = new Thread(() -> {
                try (Socket accepted = server.accept()) {
                    accepted.getOutputStream().write(42);
                } catch (Exception e) {
                    throw new RuntimeException(e);
                }
            });
            thread.start();
            try (Socket socket = new Socket("localhost", server.getLocalPort())) {
                assertEquals(42, socket.getInputStream().read());
            }
            thread.join();
        }
    }
}
