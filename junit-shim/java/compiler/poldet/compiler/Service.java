package poldet.compiler;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.StringWriter;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.FileObject;
import javax.tools.ForwardingJavaFileManager;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileManager;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.StandardLocation;
import javax.tools.ToolProvider;

/**
 * A Java compiler that stays: it takes sources from its standard input and writes classes and errors to its standard output, for
 * as long as there is somebody to ask it. A start of {@code javac} costs more than all it is asked for.
 */
public final class Service {
    private final DataInputStream in;
    private final DataOutputStream out;
    private final JavaCompiler compiler;
    private final StandardJavaFileManager files;

    private Service(DataInputStream in, DataOutputStream out, JavaCompiler compiler) {
        this.in = in;
        this.out = out;
        this.compiler = compiler;
        this.files = compiler.getStandardFileManager(null, Locale.ROOT, StandardCharsets.UTF_8);
    }

    public static void main(String[] args) throws IOException {
        PrintStream stdout = System.out;
        // Nothing but answers may stand between answers.
        System.setOut(System.err);
        DataOutputStream out = new DataOutputStream(new BufferedOutputStream(stdout));
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        out.writeInt(compiler == null ? 0 : 1);
        out.flush();
        if (compiler != null) {
            DataInputStream in = new DataInputStream(new BufferedInputStream(System.in));
            new Service(in, out, compiler).serve();
        }
    }

    private void serve() throws IOException {
        List<File> classPath = new ArrayList<>();
        for (String entry : strings()) {
            classPath.add(new File(entry));
        }
        files.setLocation(StandardLocation.CLASS_PATH, classPath);
        files.setLocation(StandardLocation.SOURCE_PATH, new ArrayList<>());
        while (true) {
            List<String> options;
            try {
                options = strings();
            } catch (EOFException e) {
                return;
            }
            int count = in.readInt();
            List<JavaFileObject> sources = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                sources.add(new Source(string(), string(), i));
            }
            compile(options, sources);
            out.flush();
        }
    }

    private void compile(List<String> options, List<JavaFileObject> sources) throws IOException {
        DiagnosticCollector<JavaFileObject> found = new DiagnosticCollector<>();
        Classes classes = new Classes(files);
        String fault = "";
        try {
            compiler.getTask(new StringWriter(), classes, found, options, null, sources).call();
        } catch (RuntimeException | Error e) {
            fault = e.toString();
        }
        string(fault);
        List<Diagnostic<? extends JavaFileObject>> errors = new ArrayList<>();
        for (Diagnostic<? extends JavaFileObject> d : found.getDiagnostics()) {
            if (d.getKind() == Diagnostic.Kind.ERROR) {
                errors.add(d);
            }
        }
        out.writeInt(errors.size());
        for (Diagnostic<? extends JavaFileObject> d : errors) {
            JavaFileObject source = d.getSource();
            out.writeInt(source instanceof Source ? ((Source) source).number : -1);
            out.writeLong(d.getPosition());
            out.writeLong(d.getLineNumber());
            string(d.getMessage(Locale.ROOT));
        }
        out.writeInt(classes.made.size());
        for (Map.Entry<String, ByteArrayOutputStream> made : classes.made.entrySet()) {
            string(made.getKey());
            byte[] bytes = made.getValue().toByteArray();
            out.writeInt(bytes.length);
            out.write(bytes);
        }
    }

    private List<String> strings() throws IOException {
        int count = in.readInt();
        List<String> all = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            all.add(string());
        }
        return all;
    }

    private String string() throws IOException {
        byte[] bytes = new byte[in.readInt()];
        in.readFully(bytes);
        return new String(bytes, StandardCharsets.UTF_8);
    }

    private void string(String text) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        out.writeInt(bytes.length);
        out.write(bytes);
    }

    /** A source that was sent. */
    private static final class Source extends SimpleJavaFileObject {
        private final String text;
        final int number;

        Source(String path, String text, int number) {
            super(new File(path).toURI(), Kind.SOURCE);
            this.text = text;
            this.number = number;
        }

        @Override
        public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return text;
        }
    }

    /** Keeps classes in memory, by their internal names. */
    private static final class Classes extends ForwardingJavaFileManager<JavaFileManager> {
        final Map<String, ByteArrayOutputStream> made = new TreeMap<>();

        Classes(JavaFileManager files) {
            super(files);
        }

        @Override
        public JavaFileObject getJavaFileForOutput(
                Location location, String name, JavaFileObject.Kind kind, FileObject sibling) {
            String internal = name.replace('.', '/');
            URI uri = URI.create("mem:///" + internal + kind.extension);
            return new SimpleJavaFileObject(uri, kind) {
                @Override
                public OutputStream openOutputStream() {
                    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
                    made.put(internal, bytes);
                    return bytes;
                }
            };
        }
    }
}
