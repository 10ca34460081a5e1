// Lookup.defineHiddenClass and defineClass: class data, nestmates, names, initialisation; and MethodHandleProxies.
import java.io.InputStream;
import java.lang.invoke.*;
import java.util.*;
import java.util.function.*;

public class HiddenClasses {
    private static int secret = 42; private static int bump() { return ++secret; }
    static class Template implements Supplier<String> {
        static int inits;
        static { inits++; System.out.println("init"); }
        int calls;
        public String get() { return "t" + ++calls; }
        static String data() throws Exception {
            return String.valueOf((Object) MethodHandles.classData(MethodHandles.lookup(), "_", Object.class));
        }
    }
    static class NestUser implements IntSupplier { public int getAsInt() { return secret + bump(); } }
    public static class Plain { public static String hi() { return "plain"; } }
    static byte[] bytes(String n) throws Exception {
        try (InputStream in = HiddenClasses.class.getResourceAsStream(n + ".class")) { return in.readAllBytes(); }
    }
    interface T { Object run() throws Throwable; }
    static void t(String n, T r) {
        try {
            System.out.println(n + " " + r.run());
        } catch (Throwable e) {
            System.out.println(n + " !" + e.getClass().getSimpleName() + ": "
                + String.valueOf(e.getMessage()).replaceAll("0x[0-9a-f]+|@[0-9a-f]+", "#"));
        }
    }
    public interface Three { String go(int a, Object b, long c); }
    static String impl(int a, Object b, long c) { return a + "/" + b + "/" + c; }
    static int thrower(Object a, Object b) throws Exception { throw new java.io.IOException("in proxy"); }
    public static void main(String[] args) throws Throwable {
        MethodHandles.Lookup l = MethodHandles.lookup(); byte[] b = bytes("HiddenClasses$Template");
        MethodHandles.Lookup h1 = l.defineHiddenClass(b, false);
        System.out.println("defined");
        Class<?> c = h1.lookupClass();
        System.out.println(c.isHidden() + " " + c.getName().replaceAll("0x[0-9a-f]+|/.*", "") + " "
            + c.getName().contains("/") + " " + c.isNestmateOf(HiddenClasses.class) + " " + (c.getNestHost() == c) + " "
            + c.descriptorString().startsWith("LHiddenClasses$Template.") + " "
            + (c.getClassLoader() == HiddenClasses.class.getClassLoader()) + " " + (c == Template.class) + " "
            + c.getPackageName().isEmpty());
        Supplier<?> s = (Supplier<?>) h1.findConstructor(c, MethodType.methodType(void.class)).invoke();
        System.out.println(s.get() + "" + s.get() + " " + (s instanceof Supplier) + " "
            + ((Object) s instanceof Template));
        Class<?> c2 = l.defineHiddenClass(b, true).lookupClass();
        System.out.println((c == c2) + " " + c2.getDeclaredConstructor().newInstance().getClass().isHidden());
        t("forName", () -> Class.forName(c.getName()));
        t("nest", () -> ((IntSupplier) l.defineHiddenClass(bytes("HiddenClasses$NestUser"), true,
            MethodHandles.Lookup.ClassOption.NESTMATE).lookupClass().getDeclaredConstructor().newInstance()).getAsInt());
        t("not nest", () -> ((IntSupplier) l.defineHiddenClass(bytes("HiddenClasses$NestUser"),
            true).lookupClass().getDeclaredConstructor().newInstance()).getAsInt());
        t("data", () -> { MethodHandles.Lookup hd = l.defineHiddenClassWithClassData(b, List.of("the", "data"), true);
            return (String) hd.findStatic(hd.lookupClass(), "data", MethodType.methodType(String.class)).invokeExact();
            });
        t("no data", Template::data);
        t("bad bytes", () -> l.defineHiddenClass(new byte[] {1, 2, 3, 4}, true));
        t("public", () -> MethodHandles.publicLookup().defineHiddenClass(b, true));
        t("null", () -> l.defineHiddenClass(null, true));
        t("array type", () -> java.lang.reflect.Array.newInstance(c,
            2).getClass().getName().startsWith("[LHiddenClasses$Template."));
        t("ensure", () -> l.ensureInitialized(Plain.class).getSimpleName() + l.accessClass(Plain.class).getSimpleName()
            + l.findClass("HiddenClasses$Plain").getSimpleName());
        t("findClass", () -> l.findClass("Nope"));
        t("defineClass dup", () -> l.defineClass(bytes("HiddenClasses$Plain")));
        MethodHandle mh = l.findStatic(HiddenClasses.class, "impl",
            MethodType.methodType(String.class, int.class, Object.class, long.class));
        Three p = MethodHandleProxies.asInterfaceInstance(Three.class, mh);
        t("proxy", () -> p.go(1, "b", 3L));
        t("proxy conv", () -> { @SuppressWarnings("unchecked") BiFunction<Integer, Integer,
            Object> f = MethodHandleProxies.asInterfaceInstance(BiFunction.class,
            MethodHandles.insertArguments(mh, 2, 9L)); return f.apply(4, 5); });
        t("proxy is", () -> MethodHandleProxies.isWrapperInstance(p) + " "
            + MethodHandleProxies.wrapperInstanceTarget(p).type()
            + MethodHandleProxies.wrapperInstanceType(p).getSimpleName());
        t("proxy cmp", () -> { @SuppressWarnings("unchecked") Comparator<Object> cmp
            = MethodHandleProxies.asInterfaceInstance(Comparator.class,
            l.findStatic(HiddenClasses.class, "thrower", MethodType.methodType(int.class, Object.class, Object.class)));
            return cmp.compare(1, 2); });
        t("proxy two", () -> MethodHandleProxies.asInterfaceInstance(Iterator.class, mh));
        t("proxy private", () -> MethodHandleProxies.asInterfaceInstance(T.class, mh));
    }
}
