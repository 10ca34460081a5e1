// URI, URL, URLEncoder, URLDecoder, InetAddress from literals, IDN, HttpCookie: parsing, resolving, printing and errors.
import java.net.*;
import java.nio.charset.StandardCharsets;
import java.util.*;

public class Uris {
    interface T { Object run() throws Throwable; }
    static void t(String n, T r) {
        try {
            System.out.println(n + " " + r.run());
        } catch (Throwable e) {
            System.out.println(n + " !" + e.getClass().getSimpleName() + ": " + e.getMessage());
        }
    }
    public static void main(String[] args) throws Exception {
        for (String s : new String[] {"http://user:pw@host:8080/a/b%20c?q=1&r=%C3%A9#frag", "mailto:a@b.c",
            "/rel/path?x", "../up/./x", "", "#f", "file:///etc/x", "urn:isbn:123", "http://[::1]:80/",
            "HTTP://Host/%7e", "//auth/p", "a:b:c", "http://h?q", "jar:file:/x.jar!/y", "http://é.com/漢"}) t(s,
            () -> { URI u = new URI(s); return u.getScheme() + "|" + u.getSchemeSpecificPart() + "|" + u.getAuthority()
            + "|" + u.getUserInfo() + "|" + u.getHost() + "|" + u.getPort() + "|" + u.getPath() + "|" + u.getRawPath()
            + "|" + u.getQuery() + "|" + u.getRawQuery() + "|" + u.getFragment() + "|" + u.isAbsolute() + u.isOpaque()
            + "|" + u.normalize() + "|" + u.toASCIIString() + "|" + u.hashCode(); });
        for (String s : new String[] {"http://a b", "http://h:x/", "%zz", ":x", "http://[bad", "a b", "http:", "1:x",
            "\\"}) t("bad " + s, () -> new URI(s));
        URI base = URI.create("http://a/b/c/d;p?q");
        for (String r
            :
            "g ./g g/ /g //g ?y g?y #s g#s ;x .. ../ ../.. ../../g ../../../g /./g g. .g ..g ./../g g;x=1/../y http:g g:h".split(" "))
            System.out.print(r + "=" + base.resolve(r) + " ");
        System.out.println();
        System.out.println(base.relativize(URI.create("http://a/b/c/e/f")) + " "
            + URI.create("http://a/b/").relativize(URI.create("http://a/b/c")) + base.compareTo(URI.create("http://b"))
            + URI.create("HTTP://A").equals(URI.create("http://a")) + new URI("http", "u", "h", 5, "/p é", "q=ü", "f")
            + new URI("s", "ssp part", "f") + new URI("http", "h", "/p", null));
        for (String s : new String[] {"http://user@host:81/p/f.html?q=1#r", "https://h", "file:/x/y",
            "ftp://f/x;type=i", "jar:file:/a.jar!/b"}) t(s,
            () -> { URL u = new URL(s); return u.getProtocol() + "|" + u.getHost() + "|" + u.getPort() + "|"
            + u.getDefaultPort() + "|" + u.getPath() + "|" + u.getFile() + "|" + u.getQuery() + "|" + u.getRef() + "|"
            + u.getUserInfo() + "|" + u.getAuthority() + "|" + u.toExternalForm() + "|" + u.toURI(); });
        for (String s : new String[] {"nope://x", "http//x", "", "http://h:99999999", "http://h:-5"})
            t("bad url " + s, () -> new URL(s));
        t("context", () -> new URL(new URL("http://h/a/b"), "../c?x") + " "
            + new URL("file:/a").equals(new URL("file:/a")));
        System.out.println(URLEncoder.encode("a b&c=d/é漢+~*-_.😀", StandardCharsets.UTF_8) + " "
            + URLDecoder.decode("a+b%26%C3%A9%F0%9F%98%80", StandardCharsets.UTF_8)
            + URLEncoder.encode("é", "ISO-8859-1"));
        t("dec bad", () -> URLDecoder.decode("%zz", StandardCharsets.UTF_8));
        t("dec short", () -> URLDecoder.decode("%a", StandardCharsets.UTF_8));
        t("enc bad", () -> URLEncoder.encode("x", "nope"));
        for (String s : new String[] {"127.0.0.1", "1.2.3.4", "::1", "2001:db8::ff00:42:8329", "::ffff:10.0.0.1",
            "192.168.0.1", "224.0.0.1", "0.0.0.0", "fe80::1", "169.254.1.1", "1.2", "16909060"}) t(s,
            () -> { InetAddress a = InetAddress.getByName(s);
            return a.getClass().getSimpleName() + a.getHostAddress() + Arrays.toString(a.getAddress())
            + a.isLoopbackAddress() + a.isSiteLocalAddress() + a.isMulticastAddress() + a.isAnyLocalAddress()
            + a.isLinkLocalAddress() + a.hashCode(); });
        for (byte[] b : new byte[][] {{1, 2, 3}, {1, 2, 3, 4}, new byte[16]})
            t("bytes" + b.length, () -> InetAddress.getByAddress(b));
        t("by name", () -> InetAddress.getByAddress("named", new byte[] {1, 2, 3, 4}) + " "
            + InetAddress.getLoopbackAddress() + Inet4Address.getByName("9.8.7.6").equals(InetAddress.getByAddress(new
            byte[] {9, 8, 7, 6})));
        t("v6 bad", () -> InetAddress.getByName("[1:2"));
        System.out.println(new InetSocketAddress("127.0.0.1", 80) + " " + InetSocketAddress.createUnresolved("h", 5)
            + new InetSocketAddress(0).getAddress().isAnyLocalAddress()
            + InetSocketAddress.createUnresolved("h", 5).isUnresolved());
        t("port", () -> new InetSocketAddress("127.0.0.1", 70000));
        System.out.println(IDN.toASCII("bücher.example") + " " + IDN.toUnicode("xn--bcher-kva.example")
            + HttpCookie.parse("Set-Cookie: a=b; Path=/x; Max-Age=10; Secure").get(0)
            + new HttpCookie("n", "v").getMaxAge() + Proxy.NO_PROXY);
    }
}
