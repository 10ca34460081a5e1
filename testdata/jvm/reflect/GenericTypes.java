// Generic signatures read by reflection: type variables, bounds, wildcards, owners, arrays, inner generics, raw, printing.
import java.lang.reflect.*;
import java.util.*;
import java.util.concurrent.Callable;
import java.util.function.*;
import java.util.stream.*;

public class GenericTypes<T extends Comparable<? super T> & java.io.Serializable, U> extends AbstractMap<T,
    List<? extends U[]>> implements Function<Map<T, int[]>, Supplier<?>> {
    class In<V> {
        class Deep<W extends V> { Map<T, ? super W>[][] f; T t; U[] ua; List<String>[] la; Outer.Nest<Integer> nest; }
    }
    static class Outer<A> { static class Nest<B> { } class Mem { } }
    List raw;
    List<?> wild;
    Map.Entry<String, Long> entry;
    GenericTypes<String, Number>.In<Integer> owner;
    Outer<String>.Mem mem;
    int prim;
    T[] ta;
    Comparator<? super Comparator<? extends T>> cmp;
    Class<? extends Enum<?>> ce;
    Outer<String>.Mem[] mems;
    Callable<? extends int[]> ci;
    public <X extends T, Y extends Throwable> Map<X, ? super Y> meth(X x, List<? extends X>[] l, Y... y) throws Y,
        java.io.IOException {
        return null;
    }
    <Q> GenericTypes(Q q, List<Q> l) { }
    static <E extends Enum<E>> E en(Class<E> c) { return null; }
    public Supplier<?> apply(Map<T, int[]> m) { return null; }
    public Set<Map.Entry<T, List<? extends U[]>>> entrySet() { return null; }
    static class Tok<Z> {
        Type get() { return ((ParameterizedType) getClass().getGenericSuperclass()).getActualTypeArguments()[0]; }
    }
    interface Bare<K> extends Comparable<Bare<K>> { }
    static class Str implements Bare<String> { public int compareTo(Bare<String> o) { return 0; } }
    static String kind(Type t) {
        return t instanceof Class<?> c ? "C:" + c.getSimpleName() : t instanceof ParameterizedType p ? "P:"
            + p.getRawType().getTypeName() + Arrays.stream(p.getActualTypeArguments()).map(GenericTypes::kind).toList()
            + (p.getOwnerType() == null ? "" : "^" + p.getOwnerType().getTypeName()) : t instanceof TypeVariable<?> v
            ? "V:" + v.getName() : t instanceof GenericArrayType g ? "A:" + kind(g.getGenericComponentType())
            : t instanceof WildcardType w ? "W:" + Arrays.stream(w.getUpperBounds()).map(GenericTypes::kind).toList()
            + Arrays.stream(w.getLowerBounds()).map(GenericTypes::kind).toList() : "?";
    }
    public static void main(String[] args) throws Exception {
        Class<?> c = GenericTypes.class;
        System.out.println(c.toGenericString() + " " + c.getGenericSuperclass() + " "
            + Arrays.toString(c.getGenericInterfaces()));
        for (TypeVariable<?> v : c.getTypeParameters())
            System.out.println(v + " " + Arrays.toString(v.getBounds()) + " " + v.getGenericDeclaration());
        for (String n : "raw wild entry owner mem prim ta cmp ce mems ci".split(" ")) {
            Field f = c.getDeclaredField(n);
            System.out.println(f.getGenericType() + " | " + kind(f.getGenericType()) + " | " + f.toGenericString());
        }
        for (Field f : GenericTypes.In.Deep.class.getDeclaredFields())
            if (!f.isSynthetic()) System.out.println(f.getGenericType() + " | " + kind(f.getGenericType()));
        Method m = Arrays.stream(c.getDeclaredMethods()).filter(x -> x.getName().equals("meth")).findFirst().get();
        System.out.println(m + "\n" + m.toGenericString() + "\n" + Arrays.toString(m.getGenericParameterTypes())
            + m.getGenericReturnType() + Arrays.toString(m.getGenericExceptionTypes())
            + Arrays.toString(m.getTypeParameters()) + kind(m.getGenericReturnType()));
        Constructor<?> k = c.getDeclaredConstructors()[0];
        System.out.println(k.toGenericString() + Arrays.toString(k.getGenericParameterTypes()));
        System.out.println(c.getDeclaredMethod("en", Class.class).toGenericString() + " "
            + Arrays.toString(c.getDeclaredMethod("en", Class.class).getTypeParameters()[0].getBounds()));
        System.out.println(new Tok<Map<String, List<int[]>>>() { }.get() + " " + new Tok<String>() { }.get() + " "
            + kind(new Tok<List<? super Integer>[]>() { }.get()));
        System.out.println(Arrays.toString(Str.class.getGenericInterfaces())
            + Arrays.toString(Bare.class.getGenericInterfaces()) + GenericTypes.In.Deep.class.toGenericString()
            + Outer.Nest.class.toGenericString() + " " + Map.Entry.class.toGenericString() + " "
            + Enum.class.toGenericString() + " " + int[].class.toGenericString() + " "
            + Override.class.toGenericString() + " " + Thread.State.class.toGenericString());
        System.out.println(new Tok<List<String>>() { }.get().equals(new Tok<List<String>>() { }.get()) + " "
            + (new Tok<List<String>>() { }.get().hashCode() == new Tok<List<String>>() { }.get().hashCode()) + " "
            + c.getTypeParameters()[0].equals(c.getTypeParameters()[0]) + " " + HashMap.class.getGenericSuperclass()
            + " " + Collectors.class.getMethod("groupingBy", Function.class, Supplier.class,
            Collector.class).toGenericString());
        try {
            ((ParameterizedType) new Tok<String>() {
                }.getClass().getGenericSuperclass()).getActualTypeArguments()[5].getTypeName();
        } catch (ArrayIndexOutOfBoundsException e) {
            System.out.println(e.getMessage());
        }
        System.out.println(Tok.class.getGenericSuperclass() + " " + Runnable.class.getGenericSuperclass() + " "
            + int.class.getGenericSuperclass() + " " + String[].class.getGenericSuperclass()
            + Arrays.toString(String[].class.getGenericInterfaces()));
    }
}
