// RandomAccessFile, FileInputStream/OutputStream, FileChannel: seek, truncate, positions, locks, scatter, transfer, mapping, File methods.
import java.io.*;
import java.nio.*;
import java.nio.channels.*;
import java.nio.file.*;
import java.util.*;

public class RandomAccess {
    interface T { Object run() throws Throwable; }
    static void t(String n, T r) {
        try {
            System.out.println(n + " " + r.run());
        } catch (Throwable e) {
            System.out.println(n + " !" + e.getClass().getSimpleName() + ": " + e.getMessage());
        }
    }
    public static void main(String[] args) throws Exception {
        File f = new File("raf.bin");
        try (RandomAccessFile r = new RandomAccessFile(f, "rw")) {
            r.writeInt(0x01020304);
            r.writeUTF("héllo");
            r.writeDouble(2.5);
            System.out.println(r.getFilePointer() + " " + r.length());
            r.seek(2);
            System.out.println(r.readUnsignedShort() + r.readUTF() + r.readDouble());
            r.seek(100);
            r.write(7);
            System.out.println(r.length());
            r.seek(50);
            System.out.println(r.read() + " " + r.skipBytes(1000) + r.getFilePointer());
            r.setLength(10);
            System.out.println(r.getFilePointer() + " " + r.length() + r.read());
            r.seek(0);
            r.writeBytes("line one\nline two");
            r.seek(0);
            System.out.println(r.readLine() + "|" + r.readLine() + "|" + r.readLine());
            t("neg seek", () -> { r.seek(-1); return 0; });
            t("eof", () -> r.readInt());
        }
        t("read only", () -> { try (RandomAccessFile r = new RandomAccessFile(f, "r")) { r.write(1); } return 0; });
        t("mode", () -> new RandomAccessFile(f, "q"));
        t("missing", () -> new RandomAccessFile("no.bin", "r"));
        t("dir", () -> new FileInputStream("."));
        t("fis missing", () -> new FileInputStream("nope/x"));
        t("fos dir", () -> new FileOutputStream("."));
        try (FileOutputStream o = new FileOutputStream(f)) { o.write("0123456789".getBytes()); o.write(65); }
        try (FileOutputStream o = new FileOutputStream(f, true)) { o.write(new byte[] {66, 67, 68}, 1, 2); }
        try (FileInputStream in = new FileInputStream(f)) {
            System.out.println(in.available() + " " + in.skip(3) + (char) in.read() + new String(in.readNBytes(3))
                + in.skip(-2) + (char) in.read() + new String(in.readAllBytes()) + in.read() + in.getFD().valid()
                + in.getChannel().position());
        }
        FileInputStream closed = new FileInputStream(f);
        closed.close();
        t("closed", closed::read);
        try (FileReader r = new FileReader(f); FileWriter w = new FileWriter("w.txt")) {
            char[] c = new char[4];
            System.out.println(r.read(c) + new String(c));
            w.write("wé");
            w.append('x');
        }
        System.out.println(new File("w.txt").length());
        try (FileChannel c = FileChannel.open(Path.of("ch.bin"), StandardOpenOption.CREATE, StandardOpenOption.READ,
            StandardOpenOption.WRITE)) {
            ByteBuffer b = ByteBuffer.allocate(16);
            b.putInt(1).putLong(2).flip();
            System.out.println(c.write(b) + " " + c.position() + c.size());
            c.write(ByteBuffer.wrap(new byte[] {9, 9}), 20);
            System.out.println(c.size() + " " + c.position());
            c.position(4);
            b.clear();
            System.out.println(c.read(b) + " " + b.flip().getLong());
            ByteBuffer[] two = {ByteBuffer.allocate(3), ByteBuffer.allocateDirect(5)};
            c.position(0);
            System.out.println(c.read(two) + " " + two[0].position() + two[1].position());
            two[0].flip();
            two[1].flip();
            System.out.println(c.write(two));
            System.out.println(c.read(ByteBuffer.allocate(4), 100));
            c.truncate(15);
            System.out.println(c.size() + " " + c.position());
            try (FileLock l = c.lock()) {
                System.out.println(l.isValid() + " " + l.isShared() + l.overlaps(5, 5));
                t("overlap", () -> c.tryLock());
            }
            MappedByteBuffer m = c.map(FileChannel.MapMode.READ_WRITE, 0, 64);
            m.put(63, (byte) 42);
            m.putInt(32, 0xCAFE);
            m.force();
            System.out.println(c.size() + " " + m.isDirect() + m.capacity() + m.get(63));
            MappedByteBuffer ro = c.map(FileChannel.MapMode.READ_ONLY, 30, 20);
            System.out.println(ro.getInt(2));
            t("ro map", () -> ro.put((byte) 1));
            MappedByteBuffer pv = c.map(FileChannel.MapMode.PRIVATE, 0, 10);
            pv.put(0, (byte) 99);
            ByteBuffer one = ByteBuffer.allocate(1);
            c.read(one, 0);
            System.out.println(one.get(0) + " " + pv.get(0));
            try (FileChannel d = FileChannel.open(Path.of("copy.bin"), StandardOpenOption.CREATE,
                StandardOpenOption.WRITE)) {
                System.out.println(c.transferTo(0, 1000, d) + " " + d.size());
                d.position(0);
                System.out.println(d.transferFrom(Channels.newChannel(new ByteArrayInputStream(new byte[10])), 5, 10));
                t("not readable", () -> d.read(ByteBuffer.allocate(1)));
            }
            c.force(true);
        }
        t("closed ch", () -> { FileChannel c = FileChannel.open(Path.of("ch.bin")); c.close(); return c.size(); });
        t("ro write", () -> FileChannel.open(Path.of("ch.bin")).write(ByteBuffer.allocate(1)));
        t("no file", () -> FileChannel.open(Path.of("zip")));
        File d = new File("dir/sub");
        System.out.println(d.mkdir() + " " + d.mkdirs() + d.mkdirs() + d.isDirectory() + new File("dir").list().length
            + new File("dir/sub/x").createNewFile() + new File("dir/sub/x").createNewFile() + new File("dir").delete()
            + f.renameTo(new File("dir/r.bin")) + f.exists() + new File("dir/r.bin").length()
            + new File("w.txt").setReadOnly() + new File("w.txt").canRead() + new File("w.txt").setLastModified(5000)
            + new File("w.txt").lastModified() + new File("w.txt").isHidden() + new File("dir").getTotalSpace()
            / Long.MAX_VALUE);
        TreeSet<String> names = new TreeSet<>(List.of(new File("dir").list((p, n) -> n.endsWith("bin"))));
        for (File x : new File("dir").listFiles(File::isDirectory)) names.add(x.getName());
        System.out.println(names);
        File tmp = File.createTempFile("abc", null);
        System.out.println(tmp.getName().matches("abc\\d+\\.tmp") + " " + tmp.delete());
        t("short prefix", () -> File.createTempFile("ab", null));
        t("create missing", () -> new File("no/such").createNewFile());
    }
}
