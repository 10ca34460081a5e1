// The module system as seen by a program on the class path: layers, descriptors, exports, opens, reads, services, jrt resources.
import java.lang.module.*;
import java.util.*;
import java.util.stream.*;

public class Modules {
    interface T { Object run() throws Throwable; }
    static void t(String n, T r) {
        try {
            System.out.println(n + " " + r.run());
        } catch (Throwable e) {
            System.out.println(n + " !" + e.getClass().getSimpleName() + ": "
                + String.valueOf(e.getMessage()).replaceAll("@[0-9a-f]+", "#"));
        }
    }
    public static void main(String[] args) throws Exception {
        Module base = Object.class.getModule(), mine = Modules.class.getModule();
        System.out.println(base + " " + base.isNamed() + " " + base.getName() + " " + mine.isNamed() + mine.getName()
            + mine.getDescriptor() + mine.getLayer() + " " + base.getLayer().equals(ModuleLayer.boot()) + " "
            + mine.getPackages().contains("x"));
        System.out.println(base.isExported("java.lang") + "" + base.isExported("jdk.internal.misc")
            + base.isExported("jdk.internal.misc", mine) + base.isOpen("java.lang", mine) + mine.isOpen("any", base)
            + mine.isExported("any") + mine.canRead(base) + base.canRead(mine)
            + base.canUse(java.util.spi.ToolProvider.class) + mine.canUse(Runnable.class));
        ModuleDescriptor d = base.getDescriptor();
        System.out.println(d.name() + d.isOpen() + d.isAutomatic() + d.requires().size() + " "
            + d.packages().contains("java.util.concurrent.locks")
            + d.exports().stream().filter(e -> !e.isQualified()).map(ModuleDescriptor.Exports::source).filter(s
            -> s.startsWith("java.util")).sorted().collect(Collectors.joining(",")));
        for (String n : List.of("java.base", "java.xml", "java.logging", "java.sql", "jdk.compiler", "no.such"))
            System.out.println(n + " " + ModuleLayer.boot().findModule(n).map(m
                -> m.getDescriptor().requires().stream().map(q -> q.name() + q.modifiers()).sorted().toList() + ""
                + m.getClassLoader()).orElse("absent").replaceAll("@[0-9a-f]+", "#"));
        System.out.println(ModuleLayer.boot().parents().size() + " " + ModuleLayer.empty().modules() + " "
            + ModuleLayer.boot().findLoader("java.sql").getName() + " "
            + ModuleLayer.boot().configuration().findModule("java.xml").get().name());
        t("addReads", () -> mine.addReads(base) == mine);
        t("addExports", () -> { base.addExports("jdk.internal.misc", mine); return 0; });
        t("addOpens", () -> mine.addOpens("a.b", base) == mine);
        t("internal", () -> Class.forName("jdk.internal.misc.Unsafe").getMethod("getUnsafe").invoke(null));
        t("internal ok", () -> Class.forName("jdk.internal.misc.VM").getName());
        t("xml",
            ()
            ->
            Class.forName("com.sun.org.apache.xerces.internal.dom.DocumentImpl").getDeclaredConstructor().newInstance());
        t("sun.misc", () -> Class.forName("sun.misc.Unsafe").getModule().getName());
        try (var in = base.getResourceAsStream("java/lang/Object.class")) {
            System.out.println(in.readNBytes(4).length + " "
                + Integer.toHexString(Object.class.getResourceAsStream("Object.class").read()));
        }
        System.out.println((base.getResourceAsStream("no/such")) + " " + Object.class.getResource("Object.class") + " "
            + ClassLoader.getSystemResource("java/lang/Object.class") + " "
            + ModuleFinder.ofSystem().find("java.base").get().location().get() + " "
            + ModuleFinder.ofSystem().find("java.zzz").isPresent());
        t("version",
            () -> ModuleDescriptor.Version.parse("1.2.3-ea").compareTo(ModuleDescriptor.Version.parse("1.2.3")));
        t("version bad", () -> ModuleDescriptor.Version.parse("x"));
        t("build", () -> ModuleDescriptor.newModule("my.mod").requires("java.base").exports("p.q").opens("r",
            Set.of("other")).uses("s.T").packages(Set.of("z")).build());
        t("build bad", () -> ModuleDescriptor.newModule("bad-name"));
        t("automatic", () -> ModuleDescriptor.newAutomaticModule("auto").build().isAutomatic());
        System.out.println(Arrays.stream(Package.getPackages()).map(Package::getName).filter("java.lang"::equals).count()
            + " " + Object.class.getPackage().isSealed() + Object.class.getPackage().getImplementationTitle());
        try (var fs = java.nio.file.FileSystems.getFileSystem(java.net.URI.create("jrt:/"))) {
            System.out.println("no");
        } catch (UnsupportedOperationException e) {
            System.out.println("jrt stays open");
        }
        var jrt = java.nio.file.FileSystems.getFileSystem(java.net.URI.create("jrt:/"));
        System.out.println(java.nio.file.Files.exists(jrt.getPath("/modules/java.base/java/lang/Object.class")) + " "
            + java.nio.file.Files.exists(jrt.getPath("/packages/java.util")) + " "
            + java.nio.file.Files.isDirectory(jrt.getPath("/modules/java.xml")));
    }
}
