// ServiceLoader on the class path and the JDK's own providers; resources found relative, absolute and missing; ResourceBundle.
import java.io.*;
import java.net.*;
import java.nio.charset.StandardCharsets;
import java.nio.file.*;
import java.util.*;
import java.util.stream.*;

public class Services {
    public interface Greeter { String hi(); }
    public static class En implements Greeter {
        static int made;
        public En() { made++; }
        public String hi() { return "hello"; }
    }
    public static class Fr implements Greeter { public String hi() { return "bonjour"; } }
    public static class Bad implements Greeter {
        public Bad() { throw new IllegalStateException("bad ctor"); }
        public String hi() { return null; }
    }
    public static class Stat { public static Greeter provider() { return () -> "static"; } }
    static class NoPub implements Greeter { public String hi() { return "np"; } }
    public static abstract class Ab implements Greeter { }
    public static class Bundle extends ListResourceBundle {
        protected Object[][] getContents() { return new Object[][] {{"k", "v"}, {"arr", new int[] {1, 2}}}; }
    }
    public static class Bundle_fr extends ListResourceBundle {
        protected Object[][] getContents() { return new Object[][] {{"k", "v-fr"}}; }
    }
    static URLClassLoader with(Path dir, String... lines) throws IOException {
        Path f = dir.resolve("META-INF/services/Services$Greeter");
        Files.createDirectories(f.getParent());
        Files.write(f, List.of(lines));
        return new URLClassLoader(new URL[] {dir.toUri().toURL()}, Services.class.getClassLoader());
    }
    static String all(ServiceLoader<Greeter> l) {
        StringBuilder sb = new StringBuilder();
        Iterator<Greeter> it = l.iterator();
        for (int i = 0; i < 10; i++) try {
            if (!it.hasNext()) break;
            sb.append(it.next().hi()).append(' ');
        } catch (ServiceConfigurationError e) {
            sb.append("[").append(e.getMessage().replaceAll("file:\\S*META-INF",
                "META-INF")).append(" / ").append(e.getCause()).append("] ");
        }
        return sb.toString();
    }
    public static void main(String[] args) throws Exception {
        Path dir = Files.createTempDirectory("svc");
        try (URLClassLoader u = with(dir, "# comment", "Services$En", "", "  Services$Fr  # trailing", "Services$En")) {
            ServiceLoader<Greeter> l = ServiceLoader.load(Greeter.class, u);
            System.out.println(all(l) + En.made);
            System.out.println(all(l) + En.made);
            l.reload();
            System.out.println(all(l) + En.made + " " + l.findFirst().get().hi() + " "
                + l.stream().map(ServiceLoader.Provider::type).map(Class::getSimpleName).toList() + l);
        }
        for (String bad : List.of("Services$Bad", "Services$NoPub", "no.Such", "Services$Ab", "java.lang.String",
            "Services$Stat", "not a name", "Services$En Services$Fr")) try (URLClassLoader u = with(dir, bad,
            "Services$Fr")) {
            System.out.println(bad + ": " + all(ServiceLoader.load(Greeter.class, u)));
        }
        System.out.println(all(ServiceLoader.load(Greeter.class)) + "none");
        try (var s = Files.walk(dir)) { for (Path p : s.sorted(Comparator.reverseOrder()).toList()) Files.delete(p); }
        System.out.println(ServiceLoader.load(java.nio.file.spi.FileSystemProvider.class,
            ClassLoader.getSystemClassLoader()).stream().map(p -> p.type().getSimpleName()).sorted().toList() + " "
            + ServiceLoader.load(java.util.spi.ToolProvider.class, ClassLoader.getSystemClassLoader()).stream().count()
            * 0 + " " + ServiceLoader.load(java.util.random.RandomGenerator.class).stream().map(p
            -> p.type().getSimpleName()).sorted().collect(Collectors.joining(",")));
        System.out.println((Services.class.getResource("Services.class") != null) + ""
            + (Services.class.getResource("/Services.class") != null)
            + (Services.class.getClassLoader().getResource("/Services.class") != null)
            + (Services.class.getResource("nope.txt") == null) + (Services.class.getResourceAsStream("nope") == null)
            + (String.class.getResource("String.class") != null)
            + Services.class.getResource("Services.class").getProtocol());
        try (DataInputStream in = new DataInputStream(Services.class.getResourceAsStream("Services$En.class"))) {
            System.out.println(Integer.toHexString(in.readInt()) + " " + in.readUnsignedShort() + " "
                + in.readUnsignedShort());
        }
        System.out.println(Collections.list(Services.class.getClassLoader().getResources("Services.class")).size() + " "
            + Services.class.getClassLoader().resources("none").count());
        URLConnection uc = Services.class.getResource("Services.class").openConnection();
        System.out.println((uc.getContentLength() > 100) + " " + uc.getContentType() + (uc.getLastModified() > 0));
        ResourceBundle rb = ResourceBundle.getBundle("Services$Bundle", Locale.FRENCH);
        System.out.println(rb.getString("k") + ((int[]) rb.getObject("arr")).length + rb.getLocale()
            + rb.containsKey("zz") + new TreeSet<>(rb.keySet())
            + ResourceBundle.getBundle("Services$Bundle", Locale.ROOT).getString("k") + rb.getBaseBundleName());
        try {
            rb.getString("zz");
        } catch (MissingResourceException e) {
            System.out.println(e.getMessage() + "|" + e.getKey() + "|" + e.getClassName());
        }
        try { rb.getString("arr"); } catch (ClassCastException e) { System.out.println("cce"); }
        try {
            ResourceBundle.getBundle("no.Bundle", Locale.GERMANY);
        } catch (MissingResourceException e) {
            System.out.println(e.getMessage());
        }
        Path d2 = Files.createTempDirectory("rb");
        Files.writeString(d2.resolve("msg.properties"), "a=base\nb=only\nu=\\u00e9é\n", StandardCharsets.UTF_8);
        Files.writeString(d2.resolve("msg_de.properties"), "a=deutsch");
        Files.writeString(d2.resolve("msg_de_AT.properties"), "a=\u00f6sterreich");
        try (URLClassLoader u = new URLClassLoader(new URL[] {d2.toUri().toURL()}, null)) {
            for (Locale lo : List.of(Locale.ROOT, Locale.GERMAN, new Locale("de", "AT"), Locale.JAPAN)) {
                ResourceBundle b = ResourceBundle.getBundle("msg", lo, u);
                System.out.println(lo + " " + b.getString("a") + b.getString("b") + b.getString("u") + " "
                    + b.getLocale());
            }
        }
        PropertyResourceBundle prb = new PropertyResourceBundle(new StringReader("x=1\ny:2"));
        System.out.println(prb.getString("y") + Collections.list(prb.getKeys()).size());
        try (var s = Files.walk(d2)) { for (Path p : s.sorted(Comparator.reverseOrder()).toList()) Files.delete(p); }
    }
}
