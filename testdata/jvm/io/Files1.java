// Files and Path: reading, writing, copying, moving, attributes, walking, links, temporary files and every usual failure.
import java.io.*;
import java.nio.charset.*;
import java.nio.file.*;
import java.nio.file.attribute.*;
import java.util.*;
import java.util.stream.*;

public class Files1 {
    static Path dir;
    interface T { Object run() throws Throwable; }
    static void t(String n, T r) {
        try {
            System.out.println(n + " " + r.run());
        } catch (Throwable e) {
            System.out.println(n + " !" + e.getClass().getSimpleName() + ": "
                + String.valueOf(e.getMessage()).replace(dir.toString(), "DIR"));
        }
    }
    static String rel(Path p) { return dir.relativize(p).toString(); }
    public static void main(String[] args) throws Exception {
        dir = Files.createTempDirectory("fs");
        Path f = dir.resolve("a.txt"), sub = dir.resolve("sub/deep");
        Files.writeString(f, "héllo\nworld\n");
        System.out.println(Files.size(f) + " " + Files.readAllLines(f) + Files.readString(f).length()
            + Files.lines(f).count() + Files.exists(f) + Files.notExists(f) + Files.isRegularFile(f)
            + Files.isDirectory(dir) + Files.isReadable(f) + Files.isWritable(f) + Files.isExecutable(f)
            + Files.isHidden(f));
        Files.writeString(f, "more", StandardOpenOption.APPEND);
        Files.write(f, List.of("l1", "l2"), StandardOpenOption.APPEND);
        System.out.println(Files.readString(f).replace("\n", "/"));
        t("create new", () -> Files.writeString(f, "x", StandardOpenOption.CREATE_NEW));
        t("no file", () -> Files.readString(dir.resolve("none")));
        t("is dir", () -> Files.readString(dir));
        t("no parent", () -> Files.writeString(dir.resolve("no/such/x"), ""));
        Files.createDirectories(sub);
        t("mkdir", () -> Files.createDirectory(dir.resolve("sub")));
        t("mkdir parent", () -> Files.createDirectory(dir.resolve("q/w")));
        t("mkdirs file", () -> Files.createDirectories(f.resolve("x")));
        Files.copy(f, sub.resolve("b.txt"));
        t("copy exists", () -> Files.copy(f, sub.resolve("b.txt")));
        Files.copy(f, sub.resolve("b.txt"), StandardCopyOption.REPLACE_EXISTING);
        Files.copy(new ByteArrayInputStream("stream".getBytes()), sub.resolve("c.txt"));
        Files.move(sub.resolve("c.txt"), dir.resolve("moved.txt"));
        t("move missing", () -> Files.move(sub.resolve("c.txt"), dir.resolve("z")));
        t("move onto", () -> Files.move(f, dir.resolve("moved.txt")));
        t("delete missing", () -> { Files.delete(dir.resolve("none")); return 0; });
        t("delete full", () -> { Files.delete(dir.resolve("sub")); return 0; });
        System.out.println(Files.deleteIfExists(dir.resolve("none")) + " " + Files.mismatch(f, sub.resolve("b.txt"))
            + Files.mismatch(f, dir.resolve("moved.txt")) + Files.isSameFile(f, dir.resolve("sub/../a.txt")));
        Path link = Files.createSymbolicLink(dir.resolve("link"), Path.of("a.txt")),
            dead = Files.createSymbolicLink(dir.resolve("dead"), Path.of("nowhere")),
            hard = Files.createLink(dir.resolve("hard"), f);
        System.out.println(Files.isSymbolicLink(link) + " " + Files.readSymbolicLink(link) + Files.exists(dead)
            + Files.exists(dead, LinkOption.NOFOLLOW_LINKS) + Files.isSameFile(link, f) + Files.size(link)
            + rel(link.toRealPath()) + Files.getAttribute(hard, "unix:nlink"));
        t("dead", () -> Files.size(dead));
        t("not link", () -> Files.readSymbolicLink(f));
        try (Stream<Path> w = Files.walk(dir)) { System.out.println(w.map(Files1::rel).sorted().toList()); }
        try (Stream<Path> w = Files.walk(dir, 1)) { System.out.println(w.count()); }
        try (Stream<Path> w = Files.find(dir, 9, (p, a) -> a.isRegularFile() && p.toString().endsWith(".txt"))) {
            System.out.println(w.map(Files1::rel).sorted().toList());
        }
        try (Stream<Path> w = Files.list(dir)) {
            System.out.println(w.map(p -> p.getFileName().toString()).sorted().toList());
        }
        try (DirectoryStream<Path> ds = Files.newDirectoryStream(dir, "*.{txt,log}")) {
            TreeSet<String> n = new TreeSet<>();
            for (Path p : ds) n.add(rel(p));
            System.out.println(n);
        }
        t("list file", () -> Files.list(f));
        List<String> visit = new ArrayList<>();
        Files.walkFileTree(dir.resolve("sub"), new SimpleFileVisitor<>() {
            @Override public FileVisitResult preVisitDirectory(Path p, BasicFileAttributes a) { visit.add(">" + rel(p));
            return FileVisitResult.CONTINUE; } @Override public FileVisitResult visitFile(Path p,
            BasicFileAttributes a) { visit.add(rel(p) + a.size()); return FileVisitResult.CONTINUE;
            } @Override public FileVisitResult postVisitDirectory(Path p, IOException e) { visit.add("<" + rel(p));
            return FileVisitResult.CONTINUE; } });
        System.out.println(visit);
        BasicFileAttributes at = Files.readAttributes(f, BasicFileAttributes.class);
        System.out.println(at.isRegularFile() + " " + at.isDirectory() + at.isOther() + at.isSymbolicLink() + at.size()
            + (at.fileKey() != null) + (at.lastModifiedTime().toMillis() > 0));
        Files.setLastModifiedTime(f, FileTime.fromMillis(1_000_000_000_000L));
        System.out.println(Files.getLastModifiedTime(f) + " " + f.toFile().lastModified());
        Files.setPosixFilePermissions(f, PosixFilePermissions.fromString("rw-r-----"));
        System.out.println(PosixFilePermissions.toString(Files.getPosixFilePermissions(f)) + " "
            + Files.getFileStore(f).supportsFileAttributeView("posix")
            + new TreeSet<>(Files.readAttributes(f, "size,lastModifiedTime,isDirectory").keySet())
            + Files.getAttribute(f, "basic:size") + Files.getFileAttributeView(f, PosixFileAttributeView.class).name());
        t("bad attr", () -> Files.getAttribute(f, "nope"));
        t("bad view", () -> Files.readAttributes(f, "zz:*"));
        try (BufferedWriter w = Files.newBufferedWriter(dir.resolve("latin"), StandardCharsets.ISO_8859_1)) {
            w.write("é");
        }
        System.out.println(Files.size(dir.resolve("latin"))
            + Files.readString(dir.resolve("latin"), StandardCharsets.ISO_8859_1));
        t("malformed", () -> Files.readString(dir.resolve("latin")));
        t("malformed lines", () -> Files.readAllLines(dir.resolve("latin")));
        Path tmp = Files.createTempFile(dir, "pre", ".suf");
        System.out.println(tmp.getFileName().toString().matches("pre\\d+\\.suf") + " " + Files.size(tmp));
        try (OutputStream o = Files.newOutputStream(tmp, StandardOpenOption.TRUNCATE_EXISTING)) {
            o.write(new byte[5000]);
        }
        try (InputStream in = Files.newInputStream(tmp, StandardOpenOption.DELETE_ON_CLOSE)) {
            System.out.println(in.readAllBytes().length);
        }
        System.out.println(Files.exists(tmp));
        t("bad option", () -> Files.newInputStream(f, StandardOpenOption.WRITE));
        t("nul", () -> Path.of("a\0b"));
        System.out.println(Files.probeContentType(Path.of("x.txt")) + " " + Files.probeContentType(Path.of("x.html")));
        try (Stream<Path> w = Files.walk(dir)) {
            for (Path p : w.sorted(Comparator.reverseOrder()).toList()) Files.delete(p);
        }
        System.out.println(Files.exists(dir));
    }
}
