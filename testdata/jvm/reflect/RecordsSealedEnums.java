// Reflection on records, sealed types and enums: components, accessors, canonical constructors, permitted, constants.
import java.lang.annotation.*;
import java.lang.reflect.*;
import java.util.*;

public class RecordsSealedEnums {
    @Retention(RetentionPolicy.RUNTIME) @interface A { }
    record P<T extends Number>(@A int x, List<? super T> l, T... ts) implements java.io.Serializable {
        static int made;
        P { made++; }
        int extra() { return x; }
    }
    record Empty() { }
    record Gen<K, V>(Map<K, V> m, V[] v, int[][] arr) { }
    sealed interface Sh permits Ci, Sq, Sh.In { record In(int a) implements Sh { } }
    record Ci(double r) implements Sh { }
    static non-sealed class Sq implements Sh { }
    static sealed abstract class Imp { static final class X extends Imp { } static final class Y extends Imp { } }
    enum E { A(1) { void m() { } }, B(2); final int v; E(int v) { this.v = v; } void m() { } static int count = 5; }
    public static void main(String[] args) throws Exception {
        for (Class<?> c : List.of(P.class, Empty.class, Gen.class)) {
            System.out.println(c.isRecord() + " " + c.toGenericString() + " " + Modifier.toString(c.getModifiers())
                + " " + c.getSuperclass() + " " + Arrays.toString(c.getInterfaces()));
            for (RecordComponent rc : c.getRecordComponents())
                System.out.println("  " + rc + " | " + rc.getName() + " " + rc.getType() + " " + rc.getGenericType()
                    + " " + rc.getGenericSignature() + " " + rc.getAccessor() + " "
                    + rc.getDeclaringRecord().getSimpleName() + " " + Arrays.toString(rc.getAnnotations()));
            System.out.println("  " + Arrays.toString(c.getDeclaredConstructors()) + " "
                + new TreeSet<>(Arrays.stream(c.getDeclaredMethods()).map(Method::toString).toList()) + " "
                + Arrays.stream(c.getDeclaredFields()).map(Field::toString).toList());
        }
        Object r = canonical(P.class).newInstance(5, List.of(1), new Number[] {2});
        for (RecordComponent rc : P.class.getRecordComponents()) {
            Object v = rc.getAccessor().invoke(r);
            System.out.print((v instanceof Object[] a ? Arrays.toString(a) : v) + " ");
        }
        System.out.println(P.made + " " + ((P<?>) r).extra());
        System.out.println(Arrays.toString(Sh.class.getPermittedSubclasses()) + Sh.class.isSealed()
            + Sq.class.isSealed() + Arrays.toString(Imp.class.getPermittedSubclasses()) + Imp.X.class.isSealed()
            + Arrays.toString(String.class.getPermittedSubclasses()) + Sh.class.toGenericString()
            + Modifier.toString(Sh.class.getModifiers()) + " " + Sq.class.toGenericString() + " "
            + Ci.class.toGenericString());
        System.out.println(E.class.isEnum() + " " + E.A.getClass().isEnum() + E.A.getClass().getSuperclass()
            + E.A.getDeclaringClass() + Arrays.toString(E.class.getEnumConstants())
            + Arrays.toString(E.A.getClass().getEnumConstants()) + " " + Modifier.toString(E.class.getModifiers()) + " "
            + E.class.toGenericString() + " " + Arrays.stream(E.class.getDeclaredFields()).map(f -> f.getName()
            + (f.isEnumConstant() ? "*" : "") + (f.isSynthetic() ? "~" : "")).toList()
            + new TreeSet<>(Arrays.stream(E.class.getDeclaredMethods()).map(Method::getName).toList())
            + Arrays.toString(E.class.getDeclaredConstructors())
            + Arrays.toString(E.class.getDeclaredConstructors()[0].getGenericParameterTypes()));
        try {
            E.class.getDeclaredConstructors()[0].newInstance("Z", 5, 6);
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
        Field cf = E.class.getDeclaredField("count");
        cf.setInt(null, 9);
        System.out.println(E.count + " " + E.class.getMethod("valueOf", String.class).invoke(null, "B") + " "
            + ((Object[]) E.class.getMethod("values").invoke(null)).length + " " + E.class.getField("A").get(null));
        try {
            E.class.getMethod("valueOf", String.class).invoke(null, "Q");
        } catch (InvocationTargetException e) {
            System.out.println(e.getCause().getMessage());
        }
        Object viaGeneric = Enum.valueOf((Class) E.class, "A");
        System.out.println(viaGeneric + " " + ((Enum<?>) viaGeneric).ordinal());
        try {
            Ci.class.getRecordComponents()[0].getAccessor().invoke("x");
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
        Map<String, Object> asMap = new LinkedHashMap<>();
        Ci ci = new Ci(2.5);
        for (RecordComponent rc : ci.getClass().getRecordComponents())
            asMap.put(rc.getName(), rc.getAccessor().invoke(ci));
        System.out.println(asMap + " " + canonical(Ci.class).newInstance(asMap.values().toArray()));
    }
    static <T> Constructor<T> canonical(Class<T> c) throws Exception {
        return
            c.getDeclaredConstructor(Arrays.stream(c.getRecordComponents()).map(RecordComponent::getType).toArray(Class<?>[]::new));
    }
}
