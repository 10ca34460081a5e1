// jvm: -Djdk.attach.allowAttachSelf=true
// skip-stderr

import com.sun.tools.attach.VirtualMachine;
import java.io.InputStream;
import java.lang.instrument.ClassDefinition;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.ProtectionDomain;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.zip.ZipEntry;

/** A program that loads an agent into its own VM and changes classes while they run. */
public class Agents {
    static Instrumentation agent;
    static String options;

    public static void agentmain(String args, Instrumentation instrumentation) {
        options = args;
        agent = instrumentation;
    }

    static class Target {
        static int calls;
        final int number;

        Target(int number) {
            this.number = number;
        }

        String say() {
            calls++;
            return "old " + number;
        }

        static String loop(Object lock) throws InterruptedException {
            String before = "old before";
            synchronized (lock) {
                lock.notifyAll();
                while (agent != null && !finished) {
                    lock.wait();
                }
            }
            try {
                Object[] none = {};
                return before + ", old after" + none[1];
            } catch (ArrayIndexOutOfBoundsException e) {
                return before + ", old caught at line " + e.getStackTrace()[0].getLineNumber();
            }
        }
    }

    static boolean finished;

    static class Shape1 {
        int x;
        int f() { return 1; }
    }

    static class Shape2 {
        int x;
        int f() { return 2; }
        int g() { return 3; }
    }

    static class Shape3 {
        int x, y;
        int f() { return 2; }
    }

    static class Shape4 {
        int x;
        public int f() { return 2; }
    }

    static class Shape5 {
        int x;
        int f() { return 2; }
    }

    static class Shape6 extends ArrayList<Object> {
        int x;
        int f() { return 2; }
    }

    static class Shape7 {
        int x;
    }

    static class Late {
        static String text() { return "late: old"; }
    }

    static byte[] bytes(Class<?> c) throws Exception {
        try (InputStream in = c.getResourceAsStream(c.getName() + ".class")) {
            return in.readAllBytes();
        }
    }

    static byte[] replace(byte[] bytes, String from, String to) {
        String text = new String(bytes, StandardCharsets.ISO_8859_1);
        return text.replace(from, to).getBytes(StandardCharsets.ISO_8859_1);
    }

    static Path jar(String name, String entry, byte[] content) throws Exception {
        Path file = Files.createTempFile(name, ".jar");
        file.toFile().deleteOnExit();
        Manifest manifest = new Manifest();
        Attributes main = manifest.getMainAttributes();
        main.put(Attributes.Name.MANIFEST_VERSION, "1.0");
        main.put(new Attributes.Name("Agent-Class"), "Agents");
        main.put(new Attributes.Name("Can-Redefine-Classes"), "true");
        main.put(new Attributes.Name("Can-Retransform-Classes"), "true");
        try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(file), manifest)) {
            if (entry != null) {
                out.putNextEntry(new ZipEntry(entry));
                out.write(content);
                out.closeEntry();
            }
        }
        return file;
    }

    public static void main(String[] args) throws Exception {
        VirtualMachine vm = VirtualMachine.attach(String.valueOf(ProcessHandle.current().pid()));
        vm.loadAgent(jar("agent", null, null).toString(), "some=options");
        vm.detach();
        System.out.println("options " + options + ", redefine " + agent.isRedefineClassesSupported()
            + ", retransform " + agent.isRetransformClassesSupported());
        try {
            vm.loadAgent("nothing.jar");
        } catch (Exception e) {
            System.out.println(e);
        }
        retransform();
        running();
        shapes();
        loading();
        boot();
        facts();
    }

    static void retransform() throws Exception {
        Target target = new Target(7);
        System.out.println(target.say());
        ClassFileTransformer transformer = new ClassFileTransformer() {
            @Override
            public byte[] transform(ClassLoader loader, String name, Class<?> redefined, ProtectionDomain domain, byte[] file) {
                return redefined == Target.class ? replace(file, "old ", "new ") : null;
            }
        };
        agent.addTransformer(transformer, true);
        agent.retransformClasses(Target.class);
        System.out.println(target.say() + ", calls " + Target.calls);
        System.out.println(Target.class.getDeclaredMethod("say").invoke(target));
        System.out.println("removed " + agent.removeTransformer(transformer) + agent.removeTransformer(transformer));
        System.out.println(target.say());
        agent.retransformClasses(Target.class);
        System.out.println(target.say() + ", calls " + Target.calls);
    }

    static void running() throws Exception {
        Object lock = new Object();
        String[] result = new String[1];
        Thread thread = new Thread(() -> {
            try {
                result[0] = Target.loop(lock);
            } catch (InterruptedException e) {
                result[0] = e.toString();
            }
        });
        synchronized (lock) {
            thread.start();
            lock.wait();
        }
        agent.redefineClasses(new ClassDefinition(Target.class, replace(bytes(Target.class), "old ", "neu ")));
        synchronized (lock) {
            finished = true;
            lock.notifyAll();
        }
        thread.join();
        System.out.println("running: " + result[0]);
        System.out.println("again: " + Target.loop(lock));
        System.out.println(new Target(8).say());
    }

    static void shapes() throws Exception {
        for (Class<?> other : List.of(Shape2.class, Shape3.class, Shape4.class, Shape5.class, Shape6.class, Shape7.class)) {
            byte[] file = replace(bytes(other), other.getName(), Shape1.class.getName());
            try {
                agent.redefineClasses(new ClassDefinition(Shape1.class, file));
                System.out.println(other.getName() + ": " + new Shape1().f());
            } catch (UnsupportedOperationException e) {
                System.out.println(other.getName() + ": " + e.getMessage());
            }
        }
        try {
            agent.redefineClasses(new ClassDefinition(Shape1.class, bytes(Shape2.class)));
        } catch (NoClassDefFoundError e) {
            System.out.println("another class: " + e.getClass().getName());
        }
        try {
            agent.redefineClasses(new ClassDefinition(Shape1.class, new byte[] {1, 2, 3}));
        } catch (ClassFormatError e) {
            System.out.println("no class: " + e.getClass().getName());
        }
        try {
            agent.retransformClasses(int.class);
        } catch (java.lang.instrument.UnmodifiableClassException e) {
            System.out.println(e.getClass().getName());
        }
    }

    static void loading() throws Exception {
        List<String> seen = new ArrayList<>();
        ClassFileTransformer transformer = new ClassFileTransformer() {
            @Override
            public byte[] transform(ClassLoader loader, String name, Class<?> redefined, ProtectionDomain domain, byte[] file) {
                if (name == null || !name.startsWith("Agents$")) {
                    return null;
                }
                seen.add(name + " " + (redefined == null ? "loaded" : "changed") + " by " + loader.getClass().getSimpleName());
                if (name.equals("Agents$Late")) {
                    return replace(file, "late: old", "late: new");
                }
                throw new IllegalStateException("not mine");
            }
        };
        agent.addTransformer(transformer);
        System.out.println(Late.text());
        agent.redefineClasses(new ClassDefinition(Late.class, bytes(Late.class)));
        System.out.println(Late.text());
        agent.removeTransformer(transformer);
        agent.redefineClasses(new ClassDefinition(Late.class, bytes(Late.class)));
        System.out.println(Late.text());
        System.out.println(seen);
    }

    static void boot() throws Exception {
        byte[] file = replace(bytes(Shape5.class), "Agents$Shape5", "Booted/Shape5");
        Path jar = jar("boot", "Booted/Shape5.class", file);
        agent.appendToBootstrapClassLoaderSearch(new java.util.jar.JarFile(jar.toFile()));
        Class<?> c = Class.forName("Booted.Shape5", false, null);
        System.out.println(c + " of " + c.getClassLoader() + " in " + c.getModule().isNamed() + ", " + c.getPackage());
    }

    static void facts() {
        System.out.println("modifiable " + agent.isModifiableClass(String.class) + agent.isModifiableClass(int.class)
            + agent.isModifiableClass(int[].class) + agent.isModifiableClass(((Runnable) () -> { }).getClass()));
        System.out.println("sizes " + agent.getObjectSize(new Object()) + " " + agent.getObjectSize(1)
            + " " + agent.getObjectSize(new byte[10]) + " " + agent.getObjectSize(new long[3]) + " "
            + agent.getObjectSize(new Object[5]));
        List<Class<?>> all = Arrays.asList(agent.getAllLoadedClasses());
        System.out.println("loaded " + all.contains(Agents.class) + all.contains(String[].class) + all.contains(int.class));
        List<Class<?>> mine = Arrays.asList(agent.getInitiatedClasses(Agents.class.getClassLoader()));
        System.out.println("initiated " + mine.contains(Target.class));
        System.out.println("reflection " + Arrays.toString(Shape1.class.getDeclaredFields()).length());
    }
}
