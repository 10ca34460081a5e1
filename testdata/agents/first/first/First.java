// An agent with a transformer, which also redefines a class, and with a class on the boot class path.
package first;

import helper.Helper;
import java.lang.instrument.ClassDefinition;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.nio.charset.StandardCharsets;
import java.security.ProtectionDomain;

public class First {
    public static Instrumentation instrumentation;

    public static void premain(String options, Instrumentation inst) {
        instrumentation = inst;
        Helper.told.add("first " + options);
        System.out.println("first: " + options + " " + inst.isRedefineClassesSupported() + " "
            + inst.isRetransformClassesSupported() + " " + inst.isNativeMethodPrefixSupported());
        System.out.println("helper by the boot loader: " + (Helper.class.getClassLoader() == null));
        System.out.println("system loader: " + (First.class.getClassLoader() == ClassLoader.getSystemClassLoader()));
        System.out.println("thread: " + Thread.currentThread().getName());
        inst.addTransformer(new ClassFileTransformer() {
            @Override
            public byte[] transform(ClassLoader loader, String name, Class<?> redefined, ProtectionDomain domain, byte[] bytes) {
                return "Target".equals(name) && redefined == null ? replace(bytes, "plain", "woven") : null;
            }
        });
    }

    /** Gives a loaded class another text. */
    public static void redefine(Class<?> type, String from, String to) throws Exception {
        try (var in = type.getResourceAsStream(type.getName() + ".class")) {
            instrumentation.redefineClasses(new ClassDefinition(type, replace(in.readAllBytes(), from, to)));
        }
    }

    static byte[] replace(byte[] bytes, String from, String to) {
        String text = new String(bytes, StandardCharsets.ISO_8859_1);
        return text.replace(from, to).getBytes(StandardCharsets.ISO_8859_1);
    }
}
