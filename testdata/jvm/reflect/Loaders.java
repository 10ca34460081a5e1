// User class loaders: delegation, isolation of statics, parallel definitions, resources, URLClassLoader, context loader, packages.
import java.io.*;
import java.net.*;
import java.nio.file.*;
import java.util.*;

public class Loaders {
    public static class Counted implements java.util.concurrent.Callable<Integer> {
        static int n;
        public Integer call() { return ++n; }
        @Override public String toString() { return "Counted" + n; }
    }
    public static class UsesCounted { public static Object make() { return new Counted(); } }
    static class Iso extends ClassLoader {
        final List<String> asked = new ArrayList<>();
        final Set<String> mine;
        Iso(ClassLoader p, String... mine) { super("iso", p); this.mine = Set.of(mine); }
        @Override protected Class<?> loadClass(String n, boolean r) throws ClassNotFoundException {
            synchronized (getClassLoadingLock(n)) {
                asked.add(n);
                if (!mine.contains(n)) return super.loadClass(n, r);
                Class<?> c = findLoadedClass(n);
                if (c == null) {
                    byte[] b;
                    try (InputStream in = Loaders.class.getResourceAsStream("/" + n + ".class")) {
                        b = in.readAllBytes();
                    } catch (IOException e) {
                        throw new ClassNotFoundException(n, e);
                    }
                    c = defineClass(n, b, 0, b.length);
                }
                if (r) resolveClass(c);
                return c;
            }
        }
        @Override protected URL findResource(String n) { return null; }
        @Override protected Class<?> findClass(String n) throws ClassNotFoundException {
            throw new ClassNotFoundException("iso:" + n);
        }
        Class<?> loaded(String n) { return findLoadedClass(n); }
        Package def() { return definePackage("made.pkg", "t", "1", "v", null, null, null, null); }
    }
    interface T { Object run() throws Throwable; }
    static void t(String n, T r) {
        try {
            System.out.println(n + " " + r.run());
        } catch (Throwable e) {
            System.out.println(n + " !" + e.getClass().getSimpleName() + ": "
                + String.valueOf(e.getMessage()).replaceAll("@[0-9a-f]+", "#").replaceAll("'app'|loader '[a-z]+' #",
                "L"));
        }
    }
    public static void main(String[] args) throws Exception {
        ClassLoader app = Loaders.class.getClassLoader();
        Iso a = new Iso(app, "Loaders$Counted", "Loaders$UsesCounted"), b = new Iso(app, "Loaders$Counted");
        Class<?> ca = a.loadClass("Loaders$Counted"), cb = Class.forName("Loaders$Counted", true, b);
        System.out.println((ca == cb) + " " + (ca == Counted.class) + " " + ca.getName().equals(cb.getName()) + " "
            + (ca.getClassLoader() == a) + " " + ca.getClassLoader().getName());
        java.util.concurrent.Callable<?> ia = (java.util.concurrent.Callable<?>)
            ca.getDeclaredConstructor().newInstance(),
            ib = (java.util.concurrent.Callable<?>) cb.getDeclaredConstructor().newInstance();
        ia.call();
        ia.call();
        System.out.println(ia.call() + " " + ib.call() + " " + new Counted().call() + ia + ib);
        t("cast", () -> (Counted) (Object) ia);
        Object viaUser = a.loadClass("Loaders$UsesCounted").getMethod("make").invoke(null);
        System.out.println((viaUser.getClass() == ca) + " "
            + a.asked.stream().filter(x -> x.startsWith("Loaders")).toList() + " "
            + a.asked.contains("java.lang.Object") + " " + (a.loaded("Loaders$Counted") == ca)
            + a.loaded("java.lang.String"));
        t("missing", () -> a.loadClass("no.Where"));
        t("forName missing", () -> Class.forName("no.Where2", true, a));
        t("boot only", () -> new ClassLoader(null) { }.loadClass("Loaders"));
        t("boot jdk", () -> new ClassLoader(null) { }.loadClass("java.util.ArrayList"));
        t("platform", () -> ClassLoader.getPlatformClassLoader().getName()
            + ClassLoader.getSystemClassLoader().getName()
            + (ClassLoader.getSystemClassLoader().getParent() == ClassLoader.getPlatformClassLoader())
            + ClassLoader.getPlatformClassLoader().getParent());
        t("sql", () -> Class.forName("java.sql.Driver").getClassLoader() == ClassLoader.getPlatformClassLoader());
        URL self = Loaders.class.getProtectionDomain().getCodeSource().getLocation();
        try (URLClassLoader u = new URLClassLoader("url", new URL[] {self}, null)) {
            Class<?> c = u.loadClass("Loaders$Counted");
            System.out.println((c != Counted.class) + " " + (c.getClassLoader() == u) + " "
                + ((java.util.concurrent.Callable<?>) c.getDeclaredConstructor().newInstance()).call() + " "
                + (u.getResource("Loaders.class") != null) + u.getResource("nope") + " "
                + (u.findResource("Loaders$Iso.class") != null)
                + Collections.list(u.getResources("Loaders.class")).size() + u.getURLs().length);
            t("url missing", () -> u.loadClass("q.Q"));
        }
        try (URLClassLoader u = URLClassLoader.newInstance(new URL[] {self})) {
            System.out.println(u.loadClass("Loaders$Counted") == Counted.class);
        }
        Path dir = Files.createTempDirectory("ld");
        Path jar = dir.resolve("x.jar");
        try (java.util.jar.JarOutputStream jo = new java.util.jar.JarOutputStream(Files.newOutputStream(jar),
            manifest())) {
            for (String n : List.of("Loaders$Counted.class")) {
                jo.putNextEntry(new java.util.zip.ZipEntry(n));
                jo.write(Loaders.class.getResourceAsStream(n).readAllBytes());
                jo.closeEntry();
            }
            jo.putNextEntry(new java.util.zip.ZipEntry("res/a.txt"));
            jo.write("in jar".getBytes());
            jo.closeEntry();
        }
        try (URLClassLoader u = new URLClassLoader(new URL[] {jar.toUri().toURL()}, null)) {
            Class<?> c = u.loadClass("Loaders$Counted");
            System.out.println(c.getClassLoader() == u);
            try (InputStream in = u.getResourceAsStream("res/a.txt")) {
                System.out.println(new String(in.readAllBytes()) + " " + u.getResource("res/a.txt").getProtocol() + " "
                    + u.getResource("res/a.txt").getPath().endsWith("x.jar!/res/a.txt") + " "
                    + u.getDefinedPackages().length);
            }
        }
        Files.delete(jar);
        Files.delete(dir);
        Thread th = Thread.currentThread();
        System.out.println((th.getContextClassLoader() == app) + " ");
        th.setContextClassLoader(a);
        Thread[] kid = new Thread[1];
        ClassLoader[] seen = new ClassLoader[1];
        kid[0] = new Thread(() -> seen[0] = Thread.currentThread().getContextClassLoader());
        kid[0].start();
        kid[0].join();
        System.out.println(seen[0] == a);
        th.setContextClassLoader(app);
        Package p = a.def();
        System.out.println(p.getName() + p.getSpecificationTitle() + p.getImplementationTitle() + " "
            + a.getDefinedPackage("made.pkg").getSpecificationVersion());
        t("dup pkg", a::def);
        System.out.println(a.getUnnamedModule().isNamed() + " " + (ca.getModule() == a.getUnnamedModule()) + " "
            + a.toString().replaceAll("@[0-9a-f]+", "#") + " " + a.isRegisteredAsParallelCapable());
        t("null name", () -> app.loadClass(null));
        StackTraceElement st = trace(a);
        System.out.println(st.getClassLoaderName() + " " + st);
    }
    static StackTraceElement trace(Iso a) throws Exception {
        try {
            a.loadClass("Loaders$Counted").getMethod("call").invoke(null);
            return null;
        } catch (NullPointerException e) {
            return new StackTraceElement("iso", null, null, "X", "m", "X.java", 1);
        }
    }
    static java.util.jar.Manifest manifest() {
        java.util.jar.Manifest m = new java.util.jar.Manifest();
        m.getMainAttributes().put(java.util.jar.Attributes.Name.MANIFEST_VERSION, "1.0");
        return m;
    }
}
