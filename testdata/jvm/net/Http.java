// The JDK's small HTTP server and HttpURLConnection and HttpClient talking over the loopback: methods, headers, codes, bodies.
import com.sun.net.httpserver.*;
import java.io.*;
import java.net.*;
import java.net.http.*;
import java.nio.charset.StandardCharsets;
import java.util.*;

public class Http {
    public static void main(String[] args) throws Exception {
        HttpServer s = HttpServer.create(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), 0), 0);
        s.createContext("/echo", x -> { byte[] in = x.getRequestBody().readAllBytes();
            byte[] out = (x.getRequestMethod() + " " + x.getRequestURI() + " "
            + x.getRequestHeaders().getFirst("X-Test") + " "
            + new String(in, StandardCharsets.UTF_8)).getBytes(StandardCharsets.UTF_8);
            x.getResponseHeaders().set("X-Reply", "yes"); x.sendResponseHeaders(200, out.length);
            x.getResponseBody().write(out); x.close(); });
        s.createContext("/code/", x -> { int c = Integer.parseInt(x.getRequestURI().getPath().substring(6));
            x.sendResponseHeaders(c, c == 204 ? -1 : 3); if (c != 204) x.getResponseBody().write("err".getBytes());
            x.close(); });
        s.createContext("/chunk", x -> { x.sendResponseHeaders(200, 0);
            try (OutputStream o = x.getResponseBody()) {
            for (int i = 0; i < 50; i++) o.write(("chunk" + i + "\n").getBytes()); } });
        s.createContext("/moved", x -> { x.getResponseHeaders().set("Location", "/echo?redirected");
            x.sendResponseHeaders(302, -1); x.close(); });
        s.start();
        String base = "http://127.0.0.1:" + s.getAddress().getPort();
        HttpURLConnection c = (HttpURLConnection) new URL(base + "/echo?q=1").openConnection();
        c.setRequestProperty("X-Test", "hdr");
        System.out.println(c.getResponseCode() + c.getResponseMessage() + new String(c.getInputStream().readAllBytes())
            + c.getHeaderField("X-Reply") + c.getContentLength());
        c = (HttpURLConnection) new URL(base + "/echo").openConnection();
        c.setRequestMethod("POST");
        c.setDoOutput(true);
        c.getOutputStream().write("bödy".getBytes("UTF-8"));
        System.out.println(new String(c.getInputStream().readAllBytes(), "UTF-8"));
        c = (HttpURLConnection) new URL(base + "/code/404").openConnection();
        System.out.println(c.getResponseCode() + new String(c.getErrorStream().readAllBytes()));
        try { c.getInputStream(); } catch (FileNotFoundException e) { System.out.println("fnf"); }
        c = (HttpURLConnection) new URL(base + "/code/500").openConnection();
        try { c.getInputStream(); } catch (IOException e) { System.out.println(e.getMessage().replace(base, "BASE")); }
        System.out.println(new String(new URL(base + "/moved").openStream().readAllBytes()) + " "
            + new URL(base + "/chunk").openStream().readAllBytes().length);
        HttpClient h
            =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).followRedirects(HttpClient.Redirect.NORMAL).build();
        HttpResponse<String> r = h.send(HttpRequest.newBuilder(URI.create(base + "/echo?c")).header("X-Test",
            "client").PUT(HttpRequest.BodyPublishers.ofString("put")).build(), HttpResponse.BodyHandlers.ofString());
        System.out.println(r.statusCode() + r.body() + r.headers().firstValue("x-reply").get() + r.version());
        System.out.println(h.sendAsync(HttpRequest.newBuilder(URI.create(base + "/moved")).build(),
            HttpResponse.BodyHandlers.ofLines()).thenApply(x -> x.body().toList()).get() + " "
            + h.send(HttpRequest.newBuilder(URI.create(base + "/code/204")).build(),
            HttpResponse.BodyHandlers.discarding()).statusCode()
            + h.send(HttpRequest.newBuilder(URI.create(base + "/none")).build(),
            HttpResponse.BodyHandlers.ofString()).statusCode());
        s.stop(0);
        System.exit(0);
    }
}
