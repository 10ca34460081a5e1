// Loopback sockets: stream and datagram, half close, time-outs, options, many clients, channels, selectors, refused connections.
import java.io.*;
import java.net.*;
import java.nio.ByteBuffer;
import java.nio.channels.*;
import java.util.*;
import java.util.concurrent.*;

public class Sockets {
    interface T { Object run() throws Throwable; }
    static void t(String n, T r) {
        try {
            System.out.println(n + " " + r.run());
        } catch (Throwable e) {
            System.out.println(n + " !" + e.getClass().getSimpleName() + ": " + e.getMessage());
        }
    }
    public static void main(String[] args) throws Exception {
        InetAddress lo = InetAddress.getByName("127.0.0.1");
        try (ServerSocket ss = new ServerSocket(0, 5, lo)) {
            System.out.println(ss.isBound() + " " + ss.getInetAddress() + (ss.getLocalPort() > 0) + ss.isClosed());
            Thread echo = new Thread(() -> { try (Socket s = ss.accept()) {
                BufferedReader r = new BufferedReader(new InputStreamReader(s.getInputStream()));
                PrintWriter w = new PrintWriter(s.getOutputStream(), true);
                for (String l; (l = r.readLine()) != null; ) w.println("echo " + l); w.println("bye");
                } catch (IOException e) { System.out.println("server " + e); } });
            echo.start();
            try (Socket c = new Socket(lo, ss.getLocalPort())) {
                c.setTcpNoDelay(true);
                c.setSoTimeout(5000);
                c.setKeepAlive(true);
                System.out.println(c.isConnected() + " " + c.getTcpNoDelay() + c.getSoTimeout() + c.getKeepAlive()
                    + c.getInetAddress() + (c.getPort() == ss.getLocalPort()) + c.isInputShutdown());
                PrintWriter w = new PrintWriter(c.getOutputStream(), true);
                BufferedReader r = new BufferedReader(new InputStreamReader(c.getInputStream()));
                w.println("one");
                System.out.println(r.readLine());
                w.println("é漢");
                System.out.println(r.readLine());
                c.shutdownOutput();
                System.out.println(r.readLine() + r.readLine() + c.isOutputShutdown());
                t("after shutdown", () -> { c.getOutputStream().write(1); return 0; });
            }
            echo.join();
            ss.setSoTimeout(5);
            t("accept timeout", ss::accept);
        }
        int[] closedPort = new int[1];
        try (ServerSocket tmp = new ServerSocket(0, 1, lo)) {
            closedPort[0] = tmp.getLocalPort();
            t("bind twice", () -> { try { new ServerSocket(tmp.getLocalPort(), 1, lo); return "bound";
                } catch (BindException e) { return e.getMessage(); } });
        }
        t("refused", () -> new Socket(lo, closedPort[0]));
        try (ServerSocket ss = new ServerSocket(0, 1, lo); Socket c = new Socket(lo, ss.getLocalPort());
            Socket s = ss.accept()) {
            c.setSoTimeout(5);
            t("read timeout", () -> c.getInputStream().read());
            s.getOutputStream().write(new byte[3000]);
            s.close();
            c.setSoTimeout(0);
            System.out.println(c.getInputStream().readAllBytes().length);
            c.close();
            t("closed", () -> c.getInputStream());
            System.out.println(c.isClosed());
        }
        ServerSocket closing = new ServerSocket(0, 1, lo);
        Thread acc = new Thread(() -> { try { closing.accept(); } catch (IOException e) {
            System.out.println("accept " + e.getMessage().replace("is ", "")); } });
        acc.start();
        Thread.sleep(30);
        closing.close();
        acc.join();
        ExecutorService ex = Executors.newFixedThreadPool(4);
        try (ServerSocket ss = new ServerSocket(0, 50, lo)) {
            Future<Integer> server = ex.submit(() -> { int sum = 0;
                for (int i = 0; i < 10; i++) try (Socket s = ss.accept()) {
                DataInputStream in = new DataInputStream(s.getInputStream()); int v = in.readInt();
                new DataOutputStream(s.getOutputStream()).writeInt(v * v); sum += v; } return sum; });
            int sq = 0;
            List<Future<Integer>> fs = new ArrayList<>();
            for (int i = 0; i < 10; i++) {
                int k = i;
                fs.add(ex.submit(() -> { try (Socket s = new Socket(lo, ss.getLocalPort())) {
                    new DataOutputStream(s.getOutputStream()).writeInt(k);
                    return new DataInputStream(s.getInputStream()).readInt(); } }));
            }
            for (Future<Integer> f : fs) sq += f.get();
            System.out.println(sq + " " + server.get());
        }
        ex.shutdown();
        try (DatagramSocket a = new DatagramSocket(0, lo); DatagramSocket b = new DatagramSocket(0, lo)) {
            byte[] m = "datagram".getBytes();
            a.send(new DatagramPacket(m, m.length, lo, b.getLocalPort()));
            DatagramPacket p = new DatagramPacket(new byte[100], 100);
            b.setSoTimeout(5000);
            b.receive(p);
            System.out.println(new String(p.getData(), 0, p.getLength()) + (p.getPort() == a.getLocalPort()));
            DatagramPacket small = new DatagramPacket(new byte[3], 3);
            a.send(new DatagramPacket(m, m.length, lo, b.getLocalPort()));
            b.receive(small);
            System.out.println(new String(small.getData(), 0, small.getLength()));
            b.setSoTimeout(5);
            t("dgram timeout", () -> { b.receive(p); return 0; });
        }
        try (ServerSocketChannel sc = ServerSocketChannel.open().bind(new InetSocketAddress(lo, 0));
            Selector sel = Selector.open()) {
            sc.configureBlocking(false);
            sc.register(sel, SelectionKey.OP_ACCEPT);
            System.out.println(sc.accept() + " " + sel.selectNow());
            Thread cl = new Thread(() -> { try (SocketChannel c = SocketChannel.open(sc.getLocalAddress())) {
                c.write(ByteBuffer.wrap("nio hello".getBytes())); ByteBuffer r = ByteBuffer.allocate(50);
                while (r.position() < 9 && c.read(r) >= 0) {
                } System.out.println("client " + new String(r.array(), 0, r.position())); } catch (IOException e) {
                System.out.println(e); } });
            cl.start();
            boolean done = false;
            while (!done) {
                sel.select(5000);
                for (Iterator<SelectionKey> it = sel.selectedKeys().iterator(); it.hasNext(); ) {
                    SelectionKey k = it.next();
                    it.remove();
                    if (k.isAcceptable()) {
                        SocketChannel c = sc.accept();
                        c.configureBlocking(false);
                        c.register(sel, SelectionKey.OP_READ, ByteBuffer.allocate(50));
                    } else if (k.isReadable()) {
                        SocketChannel c = (SocketChannel) k.channel();
                        ByteBuffer b = (ByteBuffer) k.attachment();
                        int n = c.read(b);
                        if (n < 0) {
                            c.close();
                            done = true;
                        } else {
                            b.flip();
                            while (b.hasRemaining()) c.write(b);
                            b.clear();
                        }
                    }
                }
            }
            cl.join();
            System.out.println("selector " + sel.keys().size() + sel.isOpen());
            t("blocking", () -> { try (SocketChannel c = SocketChannel.open()) { return c.read(ByteBuffer.allocate(1));
                } });
        }
        Pipe p = Pipe.open();
        p.sink().write(ByteBuffer.wrap(new byte[] {1, 2, 3}));
        ByteBuffer pb = ByteBuffer.allocate(5);
        System.out.println(p.source().read(pb));
        p.sink().close();
        pb.clear();
        System.out.println(p.source().read(pb));
        System.out.println(NetworkInterface.getByInetAddress(lo).isLoopback());
    }
}
