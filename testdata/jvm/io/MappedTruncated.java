// A mapped file that becomes shorter: accesses behind its end are errors, each time, and the rest stays readable.
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

public class MappedTruncated {
    interface Access { Object run(); }

    static void attempt(String what, Access access) {
        try {
            System.out.println(what + " " + access.run());
        } catch (InternalError e) {
            // The text depends on the release.
            System.out.println(what + " " + e.getClass().getName() + " " + e.getMessage().contains("a fault occurred in a"));
        }
    }

    public static void main(String[] args) throws Exception {
        Path file = Path.of("mapped.bin");
        byte[] bytes = new byte[40000];
        bytes[50] = 5;
        bytes[20000] = 7;
        Files.write(file, bytes);
        try (FileChannel c = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            MappedByteBuffer m = c.map(FileChannel.MapMode.READ_WRITE, 0, bytes.length);
            attempt("before", () -> m.get(20000));
            c.truncate(100);
            attempt("within", () -> m.get(50));
            for (int i = 0; i < 3; i++) attempt("get", () -> m.get(20000));
            attempt("long", () -> m.getLong(30000));
            attempt("put", () -> m.putLong(24000, 5L).position());
            attempt("bulk", () -> {
                byte[] some = new byte[10000];
                m.position(18000);
                m.get(some);
                return some[2000];
            });
            m.position(0);
            attempt("put within", () -> m.put(51, (byte) 6).get(51));
        }
        System.out.println(Files.size(file) + " " + Files.readAllBytes(file)[51]);
    }
}
