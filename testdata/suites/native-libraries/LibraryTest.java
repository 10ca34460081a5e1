package libraries;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;

import org.junit.Test;

/** Libraries that are there. Loaders try several places and throw an error of their own, without a cause. */
public class LibraryTest {
    static Path library(String name) throws Exception {
        Path path = Paths.get(name).toAbsolutePath();
        Files.write(path, new byte[64]);
        return path;
    }

    static void load(String name) throws Exception {
        Path path = library(name);
        try {
            System.load(path.toString());
        } catch (UnsatisfiedLinkError e) {
            throw new UnsatisfiedLinkError(e.getMessage() + "\nno such library elsewhere");
        }
    }

    static class Loader {
        static final int READY;

        static {
            try {
                load("libc.so");
            } catch (Exception e) {
                throw new AssertionError(e);
            }
            READY = 1;
        }
    }

    @Test
    public void a_loads() throws Exception { //~ unsupported native library
        System.load(library("liba.so").toString());
    }

    @Test
    public void b_loadsByALoader() throws Exception { //~ unsupported native library
        load("libb.so");
    }

    @Test
    public void c_loadsInAnInitialiser() { //~ unsupported native library
        System.out.println(Loader.READY);
    }

    @Test
    public void d_needsWhatWasNotInitialised() { //~ unsupported native library
        System.out.println(Loader.READY);
    }

    @Test
    public void e_isAMistakeOfItsOwn() { //~ error libd.so: not found
        throw new UnsatisfiedLinkError("libd.so: not found");
    }
}
