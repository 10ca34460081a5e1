// Enums: constant bodies, fields, values, valueOf, switch, EnumMap/Set, static init, interfaces, compareTo, serial form.
import java.io.*;
import java.util.*;
import java.util.stream.*;

public class Enums {
    enum Planet {
        MERCURY(3.303e+23, 2.4397e6), EARTH(5.976e+24, 6.37814e6), JUPITER(1.9e+27, 7.1492e7);
        private final double mass, radius;
        Planet(double m, double r) { mass = m; radius = r; }
        double gravity() { return 6.67300E-11 * mass / (radius * radius); }
    }
    enum Op {
        ADD("+") { int apply(int a, int b) { return a + b; } },
        SUB("-") { int apply(int a, int b) { return a - b; } @Override public String toString() { return "minus"; } },
        MUL("*") { int apply(int a, int b) { return a * b; } };
        final String sym;
        private static final Map<String, Op> BY = new HashMap<>();
        static { for (Op o : values()) BY.put(o.sym, o); }
        Op(String s) { sym = s; }
        abstract int apply(int a, int b);
        static Op of(String s) { return BY.get(s); }
    }
    enum Empty { }
    enum Single { INSTANCE; int n; int next() { return ++n; } }
    enum Level implements Comparator<String> {
        LOW, HIGH;
        public int compare(String a, String b) { return this == LOW ? a.compareTo(b) : b.compareTo(a); }
    }
    interface HasCode { int code(); }
    enum Coded implements HasCode { A, B; public int code() { return ordinal() * 10; } }

    public static void main(String[] args) throws Exception {
        for (Planet p : Planet.values()) System.out.printf("%s %.3f %d%n", p, p.gravity(), p.ordinal());
        for (Op o : Op.values())
            System.out.println(o + " " + o.name() + " " + o.apply(6, 3) + " " + o.getClass().isAnonymousClass() + " "
                + o.getDeclaringClass().getSimpleName() + " " + o.getClass().getName());
        System.out.println(Op.of("*") + " " + Op.valueOf("SUB") + " " + Enum.valueOf(Op.class, "ADD") + " "
            + (Op.values() != Op.values()));
        try { Op.valueOf("NOPE"); } catch (IllegalArgumentException e) { System.out.println(e.getMessage()); }
        try { Op.valueOf(null); } catch (NullPointerException e) { System.out.println(e.getMessage()); }
        try {
            Op.ADD.getClass().getMethod("clone");
        } catch (NoSuchMethodException e) {
            System.out.println(e.getMessage());
        }
        System.out.println(Empty.values().length + " " + Single.INSTANCE.next() + Single.INSTANCE.next() + " "
            + Op.ADD.compareTo(Op.MUL) + " " + Op.ADD.equals(Op.ADD));
        EnumMap<Planet, String> em = new EnumMap<>(Planet.class);
        em.put(Planet.JUPITER, "j"); em.put(Planet.MERCURY, null);
        System.out.println(em + " " + em.containsKey(Planet.MERCURY) + em.containsKey(Planet.EARTH)
            + em.remove(Planet.JUPITER) + em.size());
        EnumSet<Planet> es = EnumSet.range(Planet.MERCURY, Planet.EARTH);
        System.out.println(es + " " + EnumSet.complementOf(es) + EnumSet.noneOf(Planet.class)
            + EnumSet.allOf(Planet.class).containsAll(es) + EnumSet.of(Planet.JUPITER, Planet.MERCURY));
        es.removeIf(p -> p == Planet.EARTH); es.add(Planet.JUPITER);
        System.out.println(es);
        List<String> l = new ArrayList<>(List.of("b", "c", "a"));
        l.sort(Level.HIGH); System.out.print(l); l.sort(Level.LOW); System.out.println(l);
        System.out.println(Arrays.stream(Coded.values()).map(HasCode::code).collect(Collectors.toList()) + " "
            + Planet.valueOf("EARTH").hashCode() * 0);
        ByteArrayOutputStream bo = new ByteArrayOutputStream();
        try (ObjectOutputStream oo = new ObjectOutputStream(bo)) {
            oo.writeObject(Op.SUB);
            oo.writeObject(EnumSet.of(Planet.EARTH));
            oo.writeObject(em);
        }
        try (ObjectInputStream oi = new ObjectInputStream(new ByteArrayInputStream(bo.toByteArray()))) {
            System.out.println((oi.readObject() == Op.SUB) + " " + oi.readObject() + " " + oi.readObject());
        }
        Map<Op, Integer> tm = new TreeMap<>(Comparator.reverseOrder());
        for (Op o : Op.values()) tm.merge(o, 1, Integer::sum);
        System.out.println(tm + " " + Stream.of(Op.values()).collect(Collectors.groupingBy(o -> o.sym.length(),
            () -> new TreeMap<>(), Collectors.toCollection(() -> EnumSet.noneOf(Op.class)))));
        System.out.println(Enums.class.getDeclaredClasses().length + " " + Op.class.isEnum() + " "
            + Op.ADD.getClass().isEnum() + " " + Op.class.getEnumConstants().length + " "
            + Arrays.toString(Op.class.getEnumConstants()) + " " + Op.ADD.describeConstable().get());
    }
}
