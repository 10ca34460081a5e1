// Path and File name arithmetic, URIs, matchers, comparisons: nothing that touches the disk except the working directory.
import java.io.*;
import java.net.URI;
import java.nio.file.*;
import java.util.*;

public class Paths1 {
    interface T { Object run() throws Throwable; }
    static void t(String n, T r) {
        try {
            System.out.println(n + " " + r.run());
        } catch (Throwable e) {
            System.out.println(n + " !" + e.getClass().getSimpleName() + ": " + e.getMessage());
        }
    }
    public static void main(String[] args) throws Exception {
        for (String s : new String[] {"/a/b/c.txt", "a/b", "", "/", ".", "..", "a//b///c/", "/a/./b/../c", "../../x",
            "é/漢 space", "a"}) {
            Path p = Path.of(s);
            System.out.println("[" + s + "] " + p + " " + p.getFileName() + " " + p.getParent() + " " + p.getRoot()
                + " " + p.getNameCount() + " " + p.isAbsolute() + " " + p.normalize() + " " + p.resolve("z") + " "
                + p.resolve("/abs") + " " + p.resolveSibling("sib") + " " + p.resolve("") + " " + p.startsWith("a")
                + p.endsWith("c.txt") + p.startsWith("/a/b") + " " + new ArrayList<>() {{ for (Path x : p) add(x); }}
                + (p.isAbsolute() ? p.toUri() : ""));
            File f = new File(s);
            System.out.println("   " + f + " " + f.getName() + " " + f.getParent() + " " + f.getPath() + " "
                + f.isAbsolute() + " " + new File(f, "k") + f.hashCode() + f.compareTo(new File("b"))
                + (f.isAbsolute() ? f.toURI() + "" + f.getCanonicalPath() : ""));
        }
        Path a = Path.of("/a/b/c"), b = Path.of("/a/d");
        System.out.println(a.relativize(b) + " " + b.relativize(a) + a.relativize(a) + a.subpath(1, 3) + a.getName(0)
            + a.compareTo(b) + a.equals(Path.of("/a", "b", "c")) + a.hashCode()
            + Path.of("x").relativize(Path.of("y/z")) + Path.of("a/../b").relativize(Path.of("b/c")));
        t("relativize", () -> a.relativize(Path.of("rel")));
        t("subpath", () -> a.subpath(2, 2));
        t("getName", () -> a.getName(9));
        t("uri", () -> Path.of(URI.create("file:///x%20y/z")));
        t("uri bad", () -> Path.of(URI.create("http://x/y")));
        t("uri rel", () -> Path.of(URI.create("x")));
        t("file uri", () -> new File(URI.create("file:///q%C3%A9")).getPath());
        t("file uri bad", () -> new File(URI.create("file://host/q")));
        t("null child", () -> new File("a", (String) null));
        for (String g : new String[] {"*.java", "**.java", "**/*.java", "?.txt", "[a-c]*", "{x,y}*", "a/*", "*",
            "**"}) {
            PathMatcher m = FileSystems.getDefault().getPathMatcher("glob:" + g);
            StringBuilder sb = new StringBuilder(g);
            for (String s : List.of("A.java", "p/A.java", "a.txt", "bcd", "xy", "a/b", ".hid"))
                sb.append(' ').append(m.matches(Path.of(s)) ? 1 : 0);
            System.out.println(sb);
        }
        t("glob bad", () -> FileSystems.getDefault().getPathMatcher("glob:{a"));
        t("regex", () -> FileSystems.getDefault().getPathMatcher("regex:.*\\d").matches(Path.of("x9")));
        t("syntax", () -> FileSystems.getDefault().getPathMatcher("zz:a"));
        FileSystem fs = FileSystems.getDefault();
        System.out.println(fs.getSeparator() + fs.isOpen() + fs.isReadOnly() + fs.provider().getScheme()
            + fs.getRootDirectories().iterator().next() + new TreeSet<>(fs.supportedFileAttributeViews())
                + File.separator
            + File.pathSeparator + File.listRoots().length);
        t("fs close", () -> { fs.close(); return 0; });
        System.out.println(Path.of("").toAbsolutePath().equals(Path.of(System.getProperty("user.dir"))) + " "
            + new File("x").getAbsoluteFile().getParentFile().equals(new File(System.getProperty("user.dir")))
            + new File("").getAbsolutePath().equals(System.getProperty("user.dir"))
            + new File("a/../b").getCanonicalFile().getName() + a.toFile() + new File("/q").toPath()
            + new File("nope").exists() + new File("nope").length() + new File("nope").list()
            + new File("nope").lastModified());
        TreeSet<Path> ts = new TreeSet<>(List.of(Path.of("b"), Path.of("a/z"), Path.of("a"), Path.of("B")));
        System.out.println(ts);
        t("toReal", () -> Path.of("/no/such/dir").toRealPath());
    }
}
