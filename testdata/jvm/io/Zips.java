// Zip, jar, gzip, deflate and inflate: round trips, levels, dictionaries, checksums, listing, attributes, corruption, zip file systems.
import java.io.*;
import java.net.URI;
import java.nio.file.*;
import java.util.*;
import java.util.jar.*;
import java.util.zip.*;

public class Zips {
    interface T { Object run() throws Throwable; }
    static void t(String n, T r) {
        try {
            System.out.println(n + " " + r.run());
        } catch (Throwable e) {
            System.out.println(n + " !" + e.getClass().getSimpleName() + ": " + e.getMessage());
        }
    }
    static byte[] deflate(byte[] in, int level, boolean raw, int strategy) {
        Deflater d = new Deflater(level, raw);
        d.setStrategy(strategy);
        d.setInput(in);
        d.finish();
        ByteArrayOutputStream o = new ByteArrayOutputStream();
        byte[] b = new byte[100];
        while (!d.finished()) o.write(b, 0, d.deflate(b));
        d.end();
        return o.toByteArray();
    }
    static byte[] inflate(byte[] in, boolean raw) throws DataFormatException {
        Inflater f = new Inflater(raw);
        f.setInput(in);
        ByteArrayOutputStream o = new ByteArrayOutputStream();
        byte[] b = new byte[77];
        while (!f.finished()) {
            int n = f.inflate(b);
            if (n == 0 && (f.needsInput() || f.needsDictionary())) break;
            o.write(b, 0, n);
        }
        f.end();
        return o.toByteArray();
    }
    public static void main(String[] args) throws Exception {
        StringBuilder sb = new StringBuilder();
        for (int i = 0; i < 500; i++) sb.append("line ").append(i % 37).append(" some repeated text\n");
        byte[] text = sb.toString().getBytes(), rnd = new byte[3000];
        new Random(1).nextBytes(rnd);
        for (byte[] in : new byte[][] {text, rnd, new byte[0], new byte[5000]}) for (int l : new int[] {0, 1, 6, 9}) {
            byte[] z = deflate(in, l, false, 0), r = deflate(in, l, true, Deflater.HUFFMAN_ONLY);
            System.out.print(Arrays.equals(in, inflate(z, false)) + "" + Arrays.equals(in, inflate(r, true))
                + (z.length < in.length) + " ");
        }
        System.out.println();
        Deflater d = new Deflater();
        d.setDictionary("repeated text".getBytes());
        d.setInput(text);
        d.finish();
        byte[] b = new byte[20000];
        int n = d.deflate(b);
        System.out.println(d.getTotalIn() + " " + (d.getTotalOut() == n) + d.getAdler() + d.finished()
            + d.needsInput());
        Inflater f = new Inflater();
        f.setInput(b, 0, n);
        byte[] out = new byte[text.length];
        System.out.println(f.inflate(out) + " " + f.needsDictionary() + f.getAdler());
        f.setDictionary("repeated text".getBytes());
        System.out.println(f.inflate(out) + " " + f.finished() + f.getRemaining() + Arrays.equals(out, text)
            + f.getBytesRead() / n);
        t("bad data", () -> inflate(new byte[] {1, 2, 3, 4}, false));
        t("bad dict", () -> { Inflater q = new Inflater(); q.setDictionary(new byte[3]); return 0; });
        d.end();
        t("ended", () -> d.deflate(b));
        Deflater sync = new Deflater();
        sync.setInput("flush".getBytes());
        int m = sync.deflate(b, 0, 1000, Deflater.SYNC_FLUSH);
        Inflater si = new Inflater();
        si.setInput(b, 0, m);
        System.out.println(new String(out, 0, si.inflate(out)) + si.finished());
        CRC32 crc = new CRC32();
        crc.update(text);
        Adler32 ad = new Adler32();
        ad.update(text, 5, 100);
        CRC32C c32 = new CRC32C();
        c32.update(text);
        crc.update(7);
        java.nio.ByteBuffer db = java.nio.ByteBuffer.allocateDirect(10);
        ad.update(db);
        System.out.println(Long.toHexString(crc.getValue()) + " " + Long.toHexString(ad.getValue()) + " "
            + Long.toHexString(c32.getValue()) + db.remaining());
        crc.reset();
        System.out.println(crc.getValue());
        ByteArrayOutputStream bo = new ByteArrayOutputStream();
        try (GZIPOutputStream g = new GZIPOutputStream(bo)) { g.write(text); }
        byte[] gz = bo.toByteArray();
        System.out.println((gz[0] & 255) + " " + Arrays.equals(new
            GZIPInputStream(new ByteArrayInputStream(gz)).readAllBytes(), text));
        ByteArrayOutputStream cat = new ByteArrayOutputStream();
        cat.write(gz);
        cat.write(gz);
        System.out.println(new GZIPInputStream(new ByteArrayInputStream(cat.toByteArray())).readAllBytes().length);
        t("not gzip", () -> new GZIPInputStream(new ByteArrayInputStream(text)));
        t("gz trunc", () -> new GZIPInputStream(new ByteArrayInputStream(gz, 0, 50)).readAllBytes());
        byte[] bad = gz.clone();
        bad[gz.length - 6] ^= 1;
        t("gz crc", () -> new GZIPInputStream(new ByteArrayInputStream(bad)).readAllBytes());
        System.out.println(Arrays.equals(new InflaterInputStream(new
            DeflaterInputStream(new ByteArrayInputStream(text))).readAllBytes(), text));
        CheckedInputStream ci = new CheckedInputStream(new ByteArrayInputStream(text), new CRC32());
        ci.readAllBytes();
        System.out.println(ci.getChecksum().getValue());
        File zf = new File("t.zip");
        try (ZipOutputStream z = new ZipOutputStream(new FileOutputStream(zf))) {
            z.setComment("the comment é");
            z.putNextEntry(new ZipEntry("dir/"));
            z.closeEntry();
            ZipEntry e = new ZipEntry("dir/a.txt");
            e.setTime(1_000_000_000_000L);
            e.setComment("entry");
            e.setExtra(new byte[] {1, 2, 2, 0, 9, 9});
            z.putNextEntry(e);
            z.write(text);
            z.closeEntry();
            ZipEntry s = new ZipEntry("stored");
            s.setMethod(ZipEntry.STORED);
            s.setSize(5);
            s.setCrc(new CRC32() {{ update("store".getBytes()); }}.getValue());
            z.putNextEntry(s);
            z.write("store".getBytes());
            t("dup", () -> { z.putNextEntry(new ZipEntry("stored")); return 0; });
            z.setLevel(0);
            z.putNextEntry(new ZipEntry("é漢.txt"));
            z.write(1);
        }
        try (ZipFile z = new ZipFile(zf)) {
            System.out.println(z.size() + z.getComment() + z.getEntry("nope"));
            for (ZipEntry e : Collections.list(z.entries()))
                System.out.println(e + " " + e.getSize() + " " + (e.getCompressedSize() >= 0) + e.getMethod() + " "
                    + Long.toHexString(e.getCrc()) + e.isDirectory() + e.getComment()
                    + (e.getExtra() == null ? 0 : e.getExtra().length > 0 ? 1 : 0));
            System.out.println(Arrays.equals(z.getInputStream(z.getEntry("dir/a.txt")).readAllBytes(), text) + " "
                + z.getEntry("dir/a.txt").getTime() + z.getEntry("dir").getName() + z.stream().count());
        }
        try (ZipInputStream z = new ZipInputStream(new FileInputStream(zf))) {
            ZipEntry e;
            StringBuilder l = new StringBuilder();
            while ((e = z.getNextEntry()) != null) l.append(e.getName()).append(z.readAllBytes().length).append(' ');
            System.out.println(l);
        }
        t("not zip", () -> { Files.write(Path.of("x.zip"), text); return new ZipFile("x.zip"); });
        t("missing", () -> new ZipFile("none.zip"));
        t("closed", () -> { ZipFile z = new ZipFile(zf); z.close(); return z.size(); });
        Manifest mf = new Manifest();
        mf.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        mf.getMainAttributes().put(Attributes.Name.MAIN_CLASS, "Some.Main");
        mf.getMainAttributes().putValue("Long", "v".repeat(100));
        Attributes at = new Attributes();
        at.putValue("K", "V");
        mf.getEntries().put("e", at);
        try (JarOutputStream j = new JarOutputStream(new FileOutputStream("t.jar"), mf)) {
            j.putNextEntry(new JarEntry("x"));
            j.write(5);
        }
        try (JarFile j = new JarFile("t.jar")) {
            System.out.println(j.getManifest().getMainAttributes().getValue("main-class")
                + j.getManifest().getMainAttributes().getValue("Long").length()
                + j.getManifest().getAttributes("e").getValue("K") + j.stream().map(ZipEntry::getName).toList()
                + j.isMultiRelease() + j.getJarEntry("x").getCodeSigners());
        }
        ByteArrayOutputStream mo = new ByteArrayOutputStream();
        mf.write(mo);
        System.out.println(mo.size() + " " + new Manifest(new ByteArrayInputStream(mo.toByteArray())).equals(mf));
        try (FileSystem fs = FileSystems.newFileSystem(zf.toPath())) {
            System.out.println(Files.readAllBytes(fs.getPath("/stored")).length + " "
                + Files.exists(fs.getPath("/dir/a.txt")) + fs.getPath("a", "b") + fs.isReadOnly());
            Files.writeString(fs.getPath("/new.txt"), "added");
            Files.delete(fs.getPath("/stored"));
            try (var w = Files.walk(fs.getPath("/"))) {
                System.out.println(new TreeSet<>(w.map(Path::toString).toList()));
            }
        }
        try (FileSystem fs = FileSystems.newFileSystem(URI.create("jar:" + zf.getAbsoluteFile().toURI()), Map.of())) {
            System.out.println(Files.readString(fs.getPath("new.txt")) + Files.size(fs.getPath("/dir/a.txt")));
        }
        System.out.println(new java.net.URL("jar:" + zf.toURI() + "!/new.txt").openStream().readAllBytes().length);
    }
}
