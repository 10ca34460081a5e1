import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The names in a folder are read with the first of them, not when its stream is opened. */
public class FolderStreams {
    static Path folder(String... names) throws IOException {
        Path folder = Files.createTempDirectory("folder-streams");
        for (String name : names) {
            Files.createFile(folder.resolve(name));
        }
        return folder;
    }

    static TreeSet<String> names(Iterable<Path> paths) {
        TreeSet<String> names = new TreeSet<>();
        paths.forEach(p -> names.add(p.getFileName().toString()));
        return names;
    }

    static void removedAndMadeBeforeTheFirst() throws IOException {
        Path folder = folder("a", "b", "c");
        try (DirectoryStream<Path> stream = Files.newDirectoryStream(folder)) {
            Files.delete(folder.resolve("b"));
            Files.createFile(folder.resolve("d"));
            System.out.println(names(stream));
        }
    }

    static void walked() throws IOException {
        Path folder = folder("a", "b", "c");
        try (Stream<Path> stream = Files.walk(folder)) {
            Files.delete(folder.resolve("c"));
            List<Path> files = stream.filter(Files::isRegularFile).collect(Collectors.toList());
            System.out.println(names(files));
        }
    }

    static void folderRemoved() throws IOException {
        Path folder = folder("a");
        try (DirectoryStream<Path> stream = Files.newDirectoryStream(folder)) {
            Files.delete(folder.resolve("a"));
            Files.delete(folder);
            System.out.println(names(stream));
        }
    }

    static void notAFolder() throws IOException {
        Path file = folder("a").resolve("a");
        try (DirectoryStream<Path> stream = Files.newDirectoryStream(file)) {
            System.out.println(stream);
        } catch (IOException e) {
            System.out.println(e.getClass().getName());
        }
    }

    public static void main(String[] args) throws IOException {
        removedAndMadeBeforeTheFirst();
        walked();
        folderRemoved();
        notAFolder();
    }
}
