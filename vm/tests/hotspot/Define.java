import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.PrintStream;

/** Reads class files from a file, defines each in a loader of its own, and prints one line per outcome. */
public class Define extends ClassLoader {
    Class<?> define(byte[] bytes) {
        return defineClass(null, bytes, 0, bytes.length);
    }

    public static void main(String[] args) throws Exception {
        try (DataInputStream in = new DataInputStream(new BufferedInputStream(new FileInputStream(args[0])));
                PrintStream out =
                        new PrintStream(new BufferedOutputStream(new FileOutputStream(args[1])), false, "UTF-8")) {
            int count = in.readInt();
            for (int i = 0; i < count; i++) {
                byte[] bytes = new byte[in.readInt()];
                in.readFully(bytes);
                String outcome;
                try {
                    new Define().define(bytes);
                    outcome = "OK";
                } catch (Throwable t) {
                    outcome = t.getClass().getSimpleName() + ": " + t.getMessage();
                }
                out.println(outcome.replace('\n', ' ').replace('\r', ' '));
            }
        }
    }
}
