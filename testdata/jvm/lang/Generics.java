// Generics at run time: erasure, bridges, heap pollution, bounded types, wildcards, recursive bounds, generic arrays.
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;

public class Generics {
    interface Shape<T extends Shape<T>> {
        T scale(int by);

        default T twice() {
            return scale(2);
        }
    }

    static class Square implements Shape<Square>, Comparable<Square> {
        final int side;

        Square(int side) {
            this.side = side;
        }

        public Square scale(int by) {
            return new Square(side * by);
        }

        public int compareTo(Square o) {
            return side - o.side;
        }

        public String toString() {
            return "Sq" + side;
        }
    }

    static class Node<T> {
        T value;
        Node<T> next;

        Node(T v, Node<T> n) {
            value = v;
            next = n;
        }

        void set(T v) {
            value = v;
        }
    }

    static class IntNode extends Node<Integer> {
        IntNode(int v) {
            super(v, null);
        }

        @Override
        void set(Integer v) {
            value = v + 1;
        }
    }

    static <T extends Comparable<? super T>> T max(List<? extends T> l) {
        T best = null;
        for (T t : l) {
            if (best == null || t.compareTo(best) > 0) {
                best = t;
            }
        }
        return best;
    }

    @SafeVarargs
    static <T> T[] array(T... ts) {
        return ts;
    }

    static <T> T[] pair(T a, T b) {
        return array(a, b);
    }

    @SuppressWarnings("unchecked")
    static <T> T unsafe(Object o) {
        return (T) o;
    }

    static <A, B, C> Function<A, C> compose(Function<? super A, ? extends B> f, Function<? super B, ? extends C> g) {
        return a -> g.apply(f.apply(a));
    }

    static double total(List<? extends Number> l) {
        double t = 0;
        for (Number n : l) {
            t += n.doubleValue();
        }
        return t;
    }

    static void fill(List<? super Integer> l) {
        for (int i = 0; i < 3; i++) {
            l.add(i);
        }
    }

    static <E extends Exception> void sneaky(Exception e) throws E {
        throw Generics.<E>unsafe(e);
    }

    @SuppressWarnings({"unchecked", "rawtypes"})
    public static void main(String[] args) {
        System.out.println(new Square(3).twice().twice() + " "
            + max(List.of(new Square(1), new Square(9), new Square(4))));
        Node<Integer> n = new IntNode(1);
        n.set(41);
        System.out.println(n.value);
        try {
            ((Node) n).set("oops");
        } catch (ClassCastException e) {
            System.out.println(e.getMessage());
        }
        List<String> strings = new ArrayList<>();
        ((List) strings).add(5);
        System.out.println(strings.size() + " " + strings);
        try {
            String s = strings.get(0);
            System.out.println(s);
        } catch (ClassCastException e) {
            System.out.println(e.getMessage());
        }
        Object fine = ((List<?>) strings).get(0);
        System.out.println(fine);
        System.out.println(array("a", "b").getClass() + " " + array(1, 2.0).getClass().getSimpleName());
        try {
            String[] p = pair("x", "y");
            System.out.println(p.length);
        } catch (ClassCastException e) {
            System.out.println(e.getMessage());
        }
        Object[] q = Generics.<Object>pair("x", 1);
        System.out.println(Arrays.toString(q));
        try {
            Integer i = Generics.<Integer>unsafe("str");
            System.out.println(i);
        } catch (ClassCastException e) {
            System.out.println("cce");
        }
        Generics.<Integer>unsafe("dropped");
        System.out.println(Generics.<String, Integer,
            String>compose(String::length, i -> "<" + i * 2 + ">").apply("four"));
        List<Number> nums = new ArrayList<>(List.of(1.5, 2L));
        fill(nums);
        System.out.println(nums + " " + total(nums));
        try {
            Generics.<RuntimeException>sneaky(new java.io.IOException("sneaked"));
        } catch (Exception e) {
            System.out.println(e);
        }
        Comparator<Object> byString = Comparator.comparing(Object::toString);
        List<Object> mixed = new ArrayList<>(List.of(3, "1", 2.5));
        mixed.sort(byString);
        System.out.println(mixed);
        Comparable raw = new Square(1);
        try {
            raw.compareTo("x");
        } catch (ClassCastException e) {
            System.out.println(e.getMessage());
        }
        Node<Node<String>> nested = new Node<>(new Node<>("deep", null), null);
        System.out.println(nested.value.value.toUpperCase());
        var list = new ArrayList<List<? extends Comparable<?>>>();
        list.add(List.of(1, 2));
        list.add(List.of("z"));
        for (var inner : list) {
            for (var x : inner) {
                System.out.print(x + " ");
            }
        }
        System.out.println(int[].class.isInstance(new int[0]) + " " + List.class.cast(list).size());
    }
}
