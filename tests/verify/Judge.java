import java.io.*;
import java.nio.file.*;
import java.util.*;

/** Links classes from a file of cases, each in a loader of its own among the sample classes; writes the outcomes. */
public class Judge {
    static final Map<String, byte[]> SAMPLES = new HashMap<>();

    static class Loader extends ClassLoader {
        final String name;
        final byte[] bytes;

        Loader(String name, byte[] bytes) {
            super(Judge.class.getClassLoader());
            this.name = name;
            this.bytes = bytes;
        }

        @Override
        protected Class<?> loadClass(String wanted, boolean resolve) throws ClassNotFoundException {
            Class<?> done = findLoadedClass(wanted);
            if (done != null) return done;
            byte[] b = wanted.equals(name) ? bytes : SAMPLES.get(wanted);
            if (b == null) return super.loadClass(wanted, resolve);
            return defineClass(wanted, b, 0, b.length);
        }
    }

    static String judge(String name, byte[] bytes) {
        try {
            Class.forName(name, true, new Loader(name, bytes));
            return "OK";
        } catch (Throwable t) {
            return t.getClass().getSimpleName() + ": " + t.getMessage();
        }
    }

    public static void main(String[] args) throws IOException {
        Path samples = Paths.get(args[2]);
        try (DirectoryStream<Path> dirs = Files.newDirectoryStream(samples)) {
            for (Path p : dirs) addSamples(samples, p);
        }
        try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(Files.readAllBytes(Paths.get(args[0]))));
                Writer out = Files.newBufferedWriter(Paths.get(args[1]))) {
            int count = in.readInt();
            for (int i = 0; i < count; i++) {
                String name = in.readUTF();
                byte[] bytes = new byte[in.readInt()];
                in.readFully(bytes);
                out.write(judge(name, bytes).replace("\n", "\\n") + "\n");
            }
        }
    }

    static void addSamples(Path root, Path p) throws IOException {
        if (Files.isDirectory(p)) {
            try (DirectoryStream<Path> inner = Files.newDirectoryStream(p)) {
                for (Path q : inner) addSamples(root, q);
            }
        } else if (p.toString().endsWith(".class") && p.startsWith(root.resolve("sample"))) {
            String name = root.relativize(p).toString();
            SAMPLES.put(name.substring(0, name.length() - 6).replace('/', '.'), Files.readAllBytes(p));
        }
    }
}
