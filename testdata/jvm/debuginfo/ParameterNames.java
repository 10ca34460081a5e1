// Parameter names, modifiers and local names that a class file compiled with -g -parameters carries.
import java.lang.reflect.*;
import java.util.*;
import java.util.stream.*;

public class ParameterNames {
    class Inner { Inner(String given, final int fixed) { } }
    enum E { A; E() { } }
    record R(int first, String... rest) { R { } }
    static <T> void gen(final List<? super T> list, T[]... arrays) { }
    interface I { int m(long value, char c); }
    static String show(Executable e) {
        return e.getName() + Arrays.stream(e.getParameters()).map(p -> p + "/" + p.getName() + "/" + p.isNamePresent()
            + "/" + p.isImplicit() + "/" + p.isSynthetic() + "/" + p.isVarArgs() + "/"
            + Modifier.toString(p.getModifiers())).collect(Collectors.joining(", ", "(", ")"));
    }
    public static void main(String[] args) throws Exception {
        for (Class<?> c : List.of(Inner.class, E.class, R.class))
            for (Constructor<?> k : c.getDeclaredConstructors()) System.out.println(c.getSimpleName() + " " + show(k));
        Stream.of(ParameterNames.class.getDeclaredMethods()).filter(m
            -> !m.isSynthetic()).sorted(Comparator.comparing(Method::getName)).forEach(m
            -> System.out.println(show(m)));
        System.out.println(show(I.class.getMethods()[0]));
        System.out.println(show(E.class.getMethod("valueOf", String.class)));
        System.out.println(ParameterNames.class.getDeclaredMethod("gen", List.class, Object[][].class).toGenericString()
            + " " + ParameterNames.class.getDeclaredMethod("gen", List.class,
            Object[][].class).getParameters()[0].getParameterizedType());
    }
}
