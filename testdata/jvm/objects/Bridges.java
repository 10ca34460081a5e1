// Covariant returns, bridge methods seen by reflection and by dispatch, generic super calls, abstract generic templates.
import java.lang.reflect.*;
import java.util.*;
import java.util.function.*;
import java.util.stream.*;

public class Bridges {
    static abstract class Animal<T extends Animal<T>> implements Comparable<T> {
        int age;
        abstract T self();
        T older() { age++; return self(); }
        public int compareTo(T o) { return Integer.compare(age, o.age); }
    }
    static class Dog extends Animal<Dog> {
        Dog self() { return this; }
        @Override public int compareTo(Dog d) { return -super.compareTo(d); }
    }
    interface Source<T> {
        T get();
        default <R> Source<R> map(Function<? super T, ? extends R> f) { return () -> f.apply(get()); }
    }
    static class IntSource implements Source<Integer>, Supplier<Integer> { public Integer get() { return 21; } }
    static class Base { Object val() { return "base"; } Number num(List<?> l) { return 1; } }
    static class Mid extends Base { @Override CharSequence val() { return "mid"; } }
    static class Leaf extends Mid {
        @Override String val() { return "leaf" + super.val(); }
        @Override Integer num(List<?> l) { return l.size(); }
    }
    static class Vis {
        public static class Pub extends Hidden { }
        static class Hidden { public String open() { return "open"; } }
    }
    static class Cmp implements Comparator<String> {
        public int compare(String a, String b) { return a.length() - b.length(); }
    }
    static void dump(Class<?> c) {
        System.out.println(c.getSimpleName() + ": "
            + Arrays.stream(c.getDeclaredMethods()).map(m -> m.getName()
            + Arrays.stream(m.getParameterTypes()).map(Class::getSimpleName).collect(Collectors.joining(",", "(", ")"))
            + m.getReturnType().getSimpleName() + (m.isBridge() ? "*" : "")
            + (m.isSynthetic() ? "s" : "")).sorted().collect(Collectors.joining(" ")));
    }
    public static void main(String[] args) throws Exception {
        for (Class<?> c : List.of(Animal.class, Dog.class, IntSource.class, Mid.class, Leaf.class, Vis.Pub.class,
            Cmp.class)) dump(c);
        Dog a = new Dog().older().older(), b = new Dog().older();
        List<Dog> l = new ArrayList<>(List.of(b, a)); Collections.sort(l);
        System.out.println(l.get(0).age + " " + a.compareTo(b) + " " + ((Animal<Dog>) a).older().self().age);
        Base base = new Leaf();
        System.out.println(base.val() + " " + base.num(List.of(1, 2)) + " " + ((Mid) base).val().length());
        System.out.println(new IntSource().map(i -> i * 2).map(i -> "<" + i + ">").get());
        for (Method m : Leaf.class.getDeclaredMethods()) if (m.getName().equals("val")) {
            m.setAccessible(true);
            System.out.println("val " + m.invoke(base));
        }
        @SuppressWarnings("unchecked") Comparator<Object> raw = (Comparator<Object>) (Comparator<?>) new Cmp();
        try {
            raw.compare(1, 2);
        } catch (ClassCastException e) {
            System.out.println(e.getStackTrace()[0].getMethodName() + " " + e.getMessage().substring(0, 30));
        }
        System.out.println(new Cmp().reversed().thenComparing(Comparator.naturalOrder()).compare("ab", "cd"));
        Method open = Vis.Pub.class.getMethod("open");
        System.out.println(open.getDeclaringClass().getSimpleName() + open.isBridge() + open.invoke(new Vis.Pub()));
    }
}
