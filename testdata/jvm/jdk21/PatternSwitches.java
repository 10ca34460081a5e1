// Pattern switches and record patterns (JEP 440, 441).
import java.util.*;
import java.util.function.*;

public class PatternSwitches {
    sealed interface Shape permits Circle, Square, Rect {}
    record Circle(double radius) implements Shape {}
    record Square(double side) implements Shape {}
    record Rect(Point from, Point to) implements Shape {}
    record Point(int x, int y) {}
    record Pair<A, B>(A first, B second) {}
    record Failing(int n) {
        public int n() {
            throw new IllegalStateException("accessor of " + "Failing");
        }
    }
    enum Colour { RED, GREEN, BLUE }

    static String area(Shape shape) {
        return switch (shape) {
            case Circle(double r) when r > 10 -> "large circle";
            case Circle c -> "circle " + c.radius();
            case Square(var side) -> "square " + side;
            case Rect(Point(int a, int b), Point(var c, var d)) -> "rect " + (c - a) * (d - b);
        };
    }

    static String kind(Object o) {
        return switch (o) {
            case null -> "null!";
            case Integer i when i > 100 -> "big " + i;
            case Integer i -> "int " + i;
            case Long l -> "long " + l;
            case String s when s.isEmpty() -> "empty";
            case String s -> "string " + s.length();
            case Colour.RED -> "red";
            case Colour c -> "colour " + c.ordinal();
            case int[] array -> "ints " + array.length;
            case Pair(String a, Integer b) -> "pair " + a + b;
            case Pair(Pair(var a, var b), var c) -> "nested " + a + b + c;
            case Pair<?, ?> p -> "other pair";
            case Class<?> c -> "class " + c.getSimpleName();
            default -> "other " + o.getClass().getSimpleName();
        };
    }

    static int strings(String s) {
        return switch (s) {
            case "a", "b" -> 1;
            case String t when t.length() > 3 -> t.length();
            case "c" -> 3;
            default -> -1;
        };
    }

    static String enums(Colour c) {
        return switch (c) {
            case RED, GREEN -> "warm?";
            case BLUE -> "cold";
        };
    }

    public static void main(String[] args) {
        for (Shape s : List.of(new Circle(11), new Circle(1), new Square(2), new Rect(new Point(1, 1), new Point(4, 5)))) {
            System.out.println(area(s));
        }
        Object[] all = {null, 5, 500, 7L, "", "abc", Colour.RED, Colour.BLUE, new int[3], new Pair<>("k", 1),
            new Pair<>(new Pair<>(1, 2), 3), new Pair<>(1, 2), String.class, 1.5};
        for (Object o : all) {
            System.out.println(kind(o));
        }
        for (String s : List.of("a", "b", "c", "long one", "d")) {
            System.out.print(strings(s) + " ");
        }
        System.out.println();
        System.out.println(enums(Colour.GREEN) + enums(Colour.BLUE));
        try {
            System.out.println(strings(null));
        } catch (NullPointerException e) {
            System.out.println("NPE");
        }
        try {
            Object o = new Failing(1);
            if (o instanceof Failing(int n)) {
                System.out.println(n);
            }
        } catch (MatchException e) {
            System.out.println(e.getMessage() + " / " + e.getCause());
        }
        Function<Object, String> f = o -> o instanceof Pair<?, ?>(String a, var b) && b != null ? a : "no";
        System.out.println(f.apply(new Pair<>("yes", 1)) + f.apply(new Pair<>("yes", null)) + f.apply(1));
    }
}
