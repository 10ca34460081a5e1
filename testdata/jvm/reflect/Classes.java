// java.lang.Class in full: names, kinds, relations, enclosing, nesting, arrays, primitives, assignability, forName failures.
import java.io.Serializable;
import java.util.*;
import java.util.function.*;

public class Classes {
    static class Nested { class In { } }
    interface I extends Runnable, Serializable { }
    enum E { A, B { } }
    @interface An { }
    record R(int x) { }
    sealed interface S permits Leaf { }
    static final class Leaf implements S { }
    static Object field = new Object() { };
    Object inst = new Object() { class X { } };
    static Supplier<Class<?>> lam = () -> new Object() { }.getClass();
    Classes() { class InCtor { } ctor = InCtor.class; }
    Class<?> ctor;
    static Class<?> meth(int a, String b) { class Local { } return Local.class; }
    abstract static class Ab<T> implements Comparable<T> { }
    interface T { Object run() throws Throwable; }
    static void t(String n, T r) {
        try {
            System.out.println(n + " " + r.run());
        } catch (Throwable e) {
            System.out.println(n + " !" + e + " cause " + e.getCause());
        }
    }
    static void show(Class<?> c) {
        System.out.println(c + " | " + c.getName() + " | " + c.getSimpleName() + " | " + c.getTypeName() + " | "
            + c.getCanonicalName() + " | " + c.descriptorString() + " | "
            + java.lang.reflect.Modifier.toString(c.getModifiers()) + " | " + c.getEnclosingClass() + " "
            + c.getDeclaringClass() + " " + c.getEnclosingMethod() + " " + c.getEnclosingConstructor() + " | "
            + (c.isArray() ? "array " : "") + (c.isPrimitive() ? "prim " : "") + (c.isInterface() ? "iface " : "")
            + (c.isEnum() ? "enum " : "") + (c.isAnnotation() ? "anno " : "") + (c.isRecord() ? "record " : "")
            + (c.isSealed() ? "sealed " : "") + (c.isAnonymousClass() ? "anon " : "")
            + (c.isLocalClass() ? "local " : "") + (c.isMemberClass() ? "member " : "")
            + (c.isSynthetic() ? "synth " : "") + "| " + c.getSuperclass() + " " + Arrays.toString(c.getInterfaces())
            + " " + c.getComponentType() + " " + c.getPackageName() + " " + c.getNestHost().getSimpleName());
    }
    public static void main(String[] args) throws Exception {
        for (Class<?> c : List.of(Classes.class, Nested.class, Nested.In.class, I.class, E.class, E.B.getClass(),
            An.class, R.class, S.class, Leaf.class, field.getClass(), new Classes().inst.getClass(), lam.get(),
            new Classes().ctor, meth(1, ""), Ab.class, int.class, void.class, int[].class, String[][].class,
            Nested.In[].class, Object.class, Map.Entry.class, Integer.class, E[].class)) show(c);
        for (String n : List.of("java.lang.String", "[I", "[[Ljava.lang.String;", "int", "java/lang/String",
            "[java.lang.String", "Classes$Nested", "Classes.Nested", "", "[", "[V", "[Lint;", "no.such.Thing",
            "classes", "[LClasses$E;", "Classes$Nested[]", "Ljava.lang.String;")) t("forName " + n,
            () -> Class.forName(n));
        t("forName null", () -> Class.forName(null));
        t("boot", () -> Class.forName("Classes", false, null));
        t("loadClass arr", () -> Classes.class.getClassLoader().loadClass("[I"));
        t("module", () -> Class.forName(Object.class.getModule(), "java.lang.Thread") + " "
            + Class.forName(Object.class.getModule(), "java.sql.Driver"));
        System.out.println(Number.class.isAssignableFrom(Integer.class) + " "
            + int.class.isAssignableFrom(Integer.class) + int.class.isAssignableFrom(short.class) + " "
            + Object[].class.isAssignableFrom(String[].class) + Object[].class.isAssignableFrom(int[].class)
            + Object.class.isAssignableFrom(int[].class) + Object[].class.isAssignableFrom(int[][].class) + " "
            + Runnable.class.isAssignableFrom(I.class) + Object.class.isAssignableFrom(I.class) + " "
            + Cloneable.class.isInstance(new int[0]) + int.class.isInstance(1) + Integer.class.isInstance(1)
            + E.class.isInstance(E.B) + String.class.isInstance(null));
        t("cast", () -> String.class.cast(1));
        t("cast null", () -> String.class.cast(null));
        t("asSub", () -> Integer.class.asSubclass(Number.class));
        t("asSub bad", () -> Integer.class.asSubclass(String.class));
        t("newInstance", () -> Nested.class.getDeclaredConstructor().newInstance() != null);
        t("newInstance abs", () -> Ab.class.getDeclaredConstructor().newInstance());
        System.out.println(new
            TreeSet<>(Arrays.stream(Classes.class.getDeclaredClasses()).map(Class::getSimpleName).toList()) + " "
            + Thread.class.getClasses().length + " " + int[].class.arrayType() + " " + int.class.arrayType()
            + String.class.componentType() + " " + E.class.getEnumConstants()[1] + " "
            + R.class.getRecordComponents()[0] + " " + Nested.class.getRecordComponents() + " "
            + S.class.getPermittedSubclasses()[0] + " " + Leaf.class.getPermittedSubclasses()
            + Nested.class.getEnumConstants());
        System.out.println(Classes.class.getPackage() + " " + String.class.getPackage() + " " + int.class.getPackage()
            + " " + int[].class.getPackageName() + " " + Classes.class.getModule().isNamed() + String.class.getModule()
            + " " + String.class.getClassLoader() + int.class.getClassLoader()
            + Classes[].class.getClassLoader().getName() + " " + Classes.class.getSigners()
            + Classes.class.desiredAssertionStatus() + " " + Integer.TYPE + (Integer.TYPE == int.class) + " "
            + Classes.class.hashCode() * 0 + (Classes.class.getProtectionDomain().getCodeSource() != null)
            + (String.class.getProtectionDomain().getCodeSource() == null));
        try { Classes.class.wait(1); } catch (IllegalMonitorStateException e) { System.out.println("imse"); }
        synchronized (Classes.class) { Classes.class.notifyAll(); }
        Map<Class<?>, String> m = new HashMap<>();
        m.put(int.class, "i");
        m.put(Integer.class, "I");
        m.put(int[].class, "a");
        System.out.println(m.get(Integer.TYPE) + m.get(Integer.valueOf(1).getClass()) + m.get(new int[0].getClass()));
    }
}
