import java.io.InputStream;
import java.net.URI;
import java.net.URLConnection;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/** Fetches pairs of address and file: the JDK is at hand wherever a suite can be compiled. */
public class Fetch {
    public static void main(String[] pairs) throws Exception {
        for (int i = 0; i < pairs.length; i += 2) {
            Path file = Path.of(pairs[i + 1]);
            Path part = Path.of(pairs[i + 1] + "." + ProcessHandle.current().pid() + ".part");
            Files.createDirectories(file.getParent());
            URLConnection connection = URI.create(pairs[i]).toURL().openConnection();
            connection.setConnectTimeout(10_000);
            connection.setReadTimeout(60_000);
            try (InputStream in = connection.getInputStream()) {
                Files.copy(in, part, StandardCopyOption.REPLACE_EXISTING);
            }
            Files.move(part, file, StandardCopyOption.ATOMIC_MOVE);
        }
    }
}
