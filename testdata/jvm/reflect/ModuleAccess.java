// What a module does not read or does not export cannot be named by others: IllegalAccessError.

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.module.Configuration;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleFinder;
import java.lang.module.ModuleReader;
import java.lang.module.ModuleReference;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;

public class ModuleAccess {
    // Names are replaced by others of the same length before the classes are defined.
    private static final String[][] NAMES = {
        {"StandInForInternalUnsafe", "jdk/internal/misc/Unsafe"},
        {"StandInForBlockingIface1", "sun/nio/ch/Interruptible"},
        {"ModuleAccess$Aa", "modulea/main/Aa"},
        {"ModuleAccess$Bb", "moduleb/main/Bb"},
        {"ModuleAccess$Dd", "modulea/main/Dd"},
    };

    static byte[] bytes(String name) {
        try (InputStream in = ModuleAccess.class.getResourceAsStream(name + ".class")) {
            String text = new String(in.readAllBytes(), StandardCharsets.ISO_8859_1);
            for (String[] pair : NAMES) {
                text = text.replace(pair[0], pair[1]);
            }
            return text.getBytes(StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static class Plain extends ClassLoader {
        Plain() {
            super("plain", ModuleAccess.class.getClassLoader());
        }

        Class<?> define(String name) {
            byte[] bytes = bytes(name);
            return defineClass(null, bytes, 0, bytes.length);
        }
    }

    public static class CallsInternal implements Supplier<Object> {
        public Object get() {
            return StandInForInternalUnsafe.getUnsafe();
        }
    }

    public static class ArrayOfInternal implements Supplier<Object> {
        public Object get() {
            return new StandInForInternalUnsafe[3];
        }
    }

    public static class CastsToInternal implements Supplier<Object> {
        public Object get() {
            Object none = null;
            return (StandInForInternalUnsafe) none;
        }
    }

    public static class ClassOfInternal implements Supplier<Object> {
        public Object get() {
            return StandInForInternalUnsafe.class;
        }
    }

    public static class ReferenceToInternal implements Supplier<Object> {
        public Object get() {
            Supplier<Object> s = StandInForInternalUnsafe::getUnsafe;
            return s.get();
        }
    }

    public abstract static class ImplementsInternal implements Supplier<Object>, StandInForBlockingIface1 {}

    public static class Aa implements Supplier<Object> {
        public Object get() {
            return new Bb().get();
        }
    }

    public static class Bb implements Supplier<Object> {
        public Object get() {
            return "b";
        }
    }

    public static class Cc implements Supplier<Object> {
        public Object get() {
            return "c";
        }
    }

    public static class Dd extends Bb {}

    static final class Memory extends ModuleReference {
        private final Map<String, byte[]> content;

        Memory(ModuleDescriptor descriptor, Map<String, byte[]> content) {
            super(descriptor, URI.create("memory:/" + descriptor.name()));
            this.content = content;
        }

        @Override
        public ModuleReader open() {
            return new ModuleReader() {
                @Override
                public Optional<URI> find(String name) {
                    return Optional.ofNullable(content.get(name)).map(x -> URI.create("memory:/" + name));
                }

                @Override
                public Optional<ByteBuffer> read(String name) {
                    return Optional.ofNullable(content.get(name)).map(ByteBuffer::wrap);
                }

                @Override
                public Stream<String> list() {
                    return content.keySet().stream();
                }

                @Override
                public void close() {}
            };
        }
    }

    static ModuleFinder finder(Memory... modules) {
        return new ModuleFinder() {
            @Override
            public Optional<ModuleReference> find(String name) {
                return findAll().stream().filter(r -> r.descriptor().name().equals(name)).findFirst();
            }

            @Override
            public Set<ModuleReference> findAll() {
                return Set.of(modules);
            }
        };
    }

    static String text(Throwable e) {
        return e.toString().replaceAll("@(0x)?[0-9a-f]+", "@ID");
    }

    static void attempt(String what, Supplier<Class<?>> type) {
        for (int i = 0; i < 2; i++) {
            try {
                Object made = type.get().getConstructor().newInstance();
                Object got = ((Supplier<?>) made).get();
                System.out.println(what + ": " + (got instanceof String ? got : got == null ? null : "an object"));
            } catch (LinkageError | ReflectiveOperationException e) {
                System.out.println(what + ": " + text(e));
            }
        }
    }

    static ModuleLayer.Controller layer(String a, String b, boolean manyLoaders) {
        var ma = ModuleDescriptor.newModule("modulea").packages(Set.of("modulea.main")).exports("modulea.main");
        if (a.contains("reads")) {
            ma.requires("moduleb");
        }
        var mb = b.contains("open") ? ModuleDescriptor.newOpenModule("moduleb") : ModuleDescriptor.newModule("moduleb");
        mb.packages(Set.of("moduleb.main")).version("1.2");
        if (b.contains("exports")) {
            mb.exports("moduleb.main");
        }
        if (b.contains("qualified")) {
            mb.exports("moduleb.main", Set.of("modulea"));
        }
        if (b.contains("other")) {
            mb.exports("moduleb.main", Set.of("java.base"));
        }
        var finder = finder(
                new Memory(ma.build(), Map.of("modulea/main/Aa.class", bytes("ModuleAccess$Aa"),
                        "modulea/main/Dd.class", bytes("ModuleAccess$Dd"))),
                new Memory(mb.build(), Map.of("moduleb/main/Bb.class", bytes("ModuleAccess$Bb"))));
        Configuration boot = ModuleLayer.boot().configuration();
        Configuration all = boot.resolve(finder, ModuleFinder.of(), Set.of("modulea", "moduleb"));
        ClassLoader parent = ModuleAccess.class.getClassLoader();
        List<ModuleLayer> parents = List.of(ModuleLayer.boot());
        return manyLoaders
                ? ModuleLayer.defineModulesWithManyLoaders(all, parents, parent)
                : ModuleLayer.defineModulesWithOneLoader(all, parents, parent);
    }

    static Class<?> load(ModuleLayer layer, String module, String name) {
        try {
            return layer.findLoader(module).loadClass(name);
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException(e);
        }
    }

    static void inLayer(String a, String b) {
        for (boolean many : new boolean[] {false, true}) {
            String what = "[" + a + "] to [" + b + "]" + (many ? " in loaders of their own" : "");
            ModuleLayer.Controller c = layer(a, b, many);
            try {
                attempt(what, () -> load(c.layer(), "modulea", "modulea.main.Aa"));
                attempt(what + ", inherited", () -> load(c.layer(), "modulea", "modulea.main.Dd"));
            } catch (RuntimeException | LinkageError e) {
                System.out.println(what + ": " + text(e));
            }
        }
    }

    public static void main(String[] args) {
        for (String name : new String[] {
            "CallsInternal", "ArrayOfInternal", "CastsToInternal", "ClassOfInternal", "ReferenceToInternal",
            "ImplementsInternal"
        }) {
            attempt(name, () -> new Plain().define("ModuleAccess$" + name));
        }
        inLayer("", "");
        inLayer("reads", "");
        inLayer("reads", "exports");
        inLayer("", "exports");
        inLayer("reads", "qualified");
        inLayer("reads", "other");
        inLayer("reads", "open");
        ModuleLayer.Controller c = layer("", "", false);
        Module ma = c.layer().findModule("modulea").get();
        Module mb = c.layer().findModule("moduleb").get();
        c.addReads(ma, mb);
        attempt("reads added", () -> load(c.layer(), "modulea", "modulea.main.Aa"));
        c.addExports(mb, "moduleb.main", ma);
        attempt("exports added", () -> load(c.layer(), "modulea", "modulea.main.Aa"));
    }
}

class StandInForInternalUnsafe {
    static StandInForInternalUnsafe getUnsafe() {
        return null;
    }
}

interface StandInForBlockingIface1 {}
