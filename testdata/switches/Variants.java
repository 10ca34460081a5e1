import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.PrintStream;
import java.net.URL;
import java.net.URLClassLoader;

/** Runs the same program from many folders. */
public class Variants {
    public static void main(String[] folders) throws Exception {
        PrintStream out = System.out;
        for (String folder : folders) {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            System.setOut(new PrintStream(bytes, true));
            URL[] urls = {new File(folder).toURI().toURL()};
            try (URLClassLoader loader = new URLClassLoader(urls, ClassLoader.getPlatformClassLoader())) {
                Class<?> program = loader.loadClass("Statements");
                program.getMethod("main", String[].class).invoke(null, (Object) new String[0]);
            }
            out.println("variant " + folder);
            out.print(bytes);
        }
        out.flush();
    }
}
