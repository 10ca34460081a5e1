// Errors of linkage made by loading altered class files: missing classes, fields, methods; abstract and illegal access calls.
import java.io.*;
import java.util.*;

public class LinkErrors {
    // Each of these is renamed inside the class file, so that what was compiled against is not what is there at run time.
    public static class Target {
        public int field = 5;
        public static int stat = 6;
        public int meth(int i) { return i; }
        public static String smeth() { return "s"; }
        public Target() { }
    }
    public interface Iface { int call(); }
    public static class Impl implements Iface { public int call() { return 3; } }
    public static class User implements java.util.function.Supplier<String> {
        public String get() {
            StringBuilder sb = new StringBuilder();
            for (int i = 0; i < 6; i++) try {
                sb.append(one(i)).append('\n');
            } catch (Throwable t) {
                sb.append(t).append('\n');
            }
            return sb.toString();
        }
        Object one(int i) {
            return switch (i) {
                case 0 -> new Target().field;
                case 1 -> Target.stat;
                case 2 -> new Target().meth(4);
                case 3 -> Target.smeth();
                case 4 -> ((Iface) new Impl()).call();
                default -> new Target().getClass().getSimpleName();
            };
        }
    }
    static class Loader extends ClassLoader {
        final Map<String, byte[]> classes = new HashMap<>();
        Loader() { super(LinkErrors.class.getClassLoader()); }
        @Override protected Class<?> loadClass(String n, boolean r) throws ClassNotFoundException {
            synchronized (getClassLoadingLock(n)) {
                Class<?> c = findLoadedClass(n);
                if (c != null) return c;
                byte[] b = classes.get(n);
                if (b == null && classes.containsKey(n)) throw new ClassNotFoundException(n);
                return b == null ? super.loadClass(n, r) : defineClass(n, b, 0, b.length);
            }
        }
    }
    static byte[] bytes(String n) throws IOException {
        try (InputStream in = LinkErrors.class.getResourceAsStream("/" + n + ".class")) { return in.readAllBytes(); }
    }
    static byte[] rename(byte[] b, String from, String to) {
        byte[] f = from.getBytes(), t = to.getBytes();
        byte[] r = b.clone();
        for (int i = 2; i + f.length <= b.length; i++)
            if (Arrays.equals(b, i, i + f.length, f, 0, f.length) && r[i - 1] == f.length && r[i - 2] == 0)
                System.arraycopy(t, 0, r, i, t.length);
        return r;
    }
    static void run(String what, String cls, String from, String to) throws Exception {
        Loader l = new Loader();
        for (String n : List.of("Target", "Iface", "Impl", "User"))
            l.classes.put("LinkErrors$" + n, bytes("LinkErrors$" + n));
        if (cls != null) l.classes.compute("LinkErrors$" + cls, (k, v) -> from == null ? null : rename(v, from, to));
        if (cls != null && from == null) l.classes.put("LinkErrors$" + cls, null);
        System.out.println("== " + what);
        try {
            System.out.print(((java.util.function.Supplier<?>)
                l.loadClass("LinkErrors$User").getDeclaredConstructor().newInstance()).get());
        } catch (Throwable t) {
            System.out.println(t + " cause " + t.getCause());
        }
    }
    public static void main(String[] args) throws Exception {
        run("untouched", null, null, null);
        run("no field", "Target", "field", "fielD");
        run("no static", "Target", "stat", "staT");
        run("no method", "Target", "meth", "metH");
        run("no static method", "Target", "smeth", "smetH");
        run("not implemented", "Impl", "call", "calL");
        run("no class", "Impl", null, null);
        run("field type", "User", "()Ljava/lang/String;", "()Ljava/lang/Strinx;");
        Loader l = new Loader();
        byte[] b = bytes("LinkErrors$Impl");
        for (int cut : new int[] {0, 3, 4, 9, 50, b.length - 1}) {
            int k = cut;
            try {
                Loader q = new Loader();
                q.classes.put("LinkErrors$Impl", Arrays.copyOf(b, k));
                q.loadClass("LinkErrors$Impl");
                System.out.println("loaded");
            } catch (ClassFormatError e) {
                System.out.println(e);
            }
        }
        byte[] v = b.clone(); v[7] = 99; l.classes.put("LinkErrors$Impl", v);
        try {
            l.loadClass("LinkErrors$Impl");
        } catch (UnsupportedClassVersionError e) {
            System.out.println(e.getMessage().replaceAll("versions up to.*", "..."));
        }
        l.classes.put("Other", b);
        try { l.loadClass("Other"); } catch (NoClassDefFoundError e) { System.out.println(e); }
        Loader d = new Loader(); d.classes.put("LinkErrors$Impl", b); d.loadClass("LinkErrors$Impl");
        try {
            new ClassLoader(d) {
                Class<?> twice() {
                    defineClass("LinkErrors$Target", tb(), 0, tb().length);
                    return defineClass("LinkErrors$Target", tb(), 0, tb().length);
                }
                byte[] tb() {
                    try { return bytes("LinkErrors$Target"); } catch (IOException e) { throw new RuntimeException(e); }
                }
            }.twice();
        } catch (LinkageError e) {
            System.out.println(e.getMessage().replaceAll("@[0-9a-f]+", "@"));
        }
        try {
            new ClassLoader() { void bad() { byte[] x = {1}; defineClass("java.evil.X", x, 0, 1); } }.bad();
        } catch (SecurityException e) {
            System.out.println(e);
        }
        try {
            new ClassLoader() { void bad() { defineClass(null, new byte[5], 3, 9); } }.bad();
        } catch (IndexOutOfBoundsException | ClassFormatError e) {
            System.out.println(e);
        }
        try {
            new ClassLoader() { void bad() { defineClass("a/b", new byte[5], 0, 5); } }.bad();
        } catch (NoClassDefFoundError e) {
            System.out.println(e);
        }
    }
}
