// Messages of the exceptions that the VM itself throws: casts, stores, indexes, sizes, division, monitors.
import java.util.*;
import java.util.function.*;

public class CastMessages {
    interface I { } static class A implements I { } static class B extends A { } enum E { X { } }
    record R(int i) { }
    static void t(Runnable r) {
        try {
            r.run();
            System.out.println("ok");
        } catch (RuntimeException e) {
            System.out.println(e.getClass().getSimpleName() + ": " + e.getMessage());
        }
    }
    static Object o(Object x) { return x; }
    public static void main(String[] args) {
        t(() -> { B b = (B) o(new A()); });
        t(() -> { I i = (I) o("s"); });
        t(() -> { String s = (String) o(new A()); });
        t(() -> { A[] a = (A[]) o(new String[0]); });
        t(() -> { A[] a = (A[]) o(new B[0]); });
        t(() -> { int[] a = (int[]) o(new Integer[0]); });
        t(() -> { A[][] a = (A[][]) o(new A[0]); });
        t(() -> { Integer i = (Integer) o(1L); });
        t(() -> { R r = (R) o(E.X); });
        t(() -> { Runnable r = (Runnable) o(new int[0]); });
        t(() -> { Map<String, String> m = (Map<String, String>) o(new R(1)); });
        t(() -> { Comparable<?> c = (Comparable<?>) o(new Object()); });
        t(() -> { Object[] os = (Object[]) o(new int[0][0]); });
        t(() -> { Object[] os = (Object[]) o(new int[0]); });
        t(() -> Integer.class.cast("x"));
        t(() -> E.class.cast(null));
        t(() -> { Object[] a = new String[1]; a[0] = new A(); });
        t(() -> { Object[] a = new I[1]; a[0] = new A(); a[0] = "s"; });
        t(() -> { Object[] a = new int[1][]; a[0] = new long[0]; });
        t(() -> new TreeSet<Object>(List.of(new A(), new B())));
        t(() -> new TreeMap<Object, Integer>(Map.of("a", 1)).get(1));
        t(() -> Collections.sort((List) Arrays.asList("a", 1)));
        t(() -> new PriorityQueue<Object>().add(new A()));
        t(() -> Arrays.sort(new Object[] {1, "a"}));
        t(() -> { int z = 0; int q = 5 % z; });
        t(() -> { long z = 0; long q = 5L / z; });
        t(() -> "abc".charAt(3));
        t(() -> "abc".substring(2, 1));
        t(() -> "abc".substring(4));
        t(() -> "abc".codePointAt(-1));
        t(() -> new StringBuilder("a").deleteCharAt(1));
        t(() -> new StringBuilder("a").insert(2, "x"));
        t(() -> new StringBuilder().setLength(-1));
        t(() -> "a".repeat(-1));
        t(() -> "x".getBytes(java.nio.charset.Charset.forName("nope")));
        t(() -> new ArrayList<>().get(0));
        t(() -> new ArrayList<>().remove(-1));
        t(() -> new LinkedList<>().get(1));
        t(() -> new LinkedList<>().getFirst());
        t(() -> List.of(1).get(1));
        t(() -> List.of().iterator().next());
        t(() -> new ArrayList<>(-1));
        t(() -> new HashMap<>(-1));
        t(() -> new ArrayDeque<>().pop());
        t(() -> new ArrayDeque<>().add(null));
        t(() -> Map.of("a", 1, "a", 2));
        t(() -> Set.of(1, 1));
        t(() -> List.of(1, 2).subList(1, 0));
        t(() -> new ArrayList<>(List.of(1)).subList(0, 2));
        t(() -> new Vector<>().elementAt(0));
        t(() -> new Stack<>().pop());
        t(() -> Arrays.asList(1).add(2));
        t(() -> Collections.emptyList().add(null));
        t(() -> Collections.unmodifiableMap(new HashMap<>()).put(1, 1));
        t(() -> new Scanner("x").nextInt());
        t(() -> new Scanner("").next());
        t(() -> Arrays.copyOf(new int[1], -1));
        t(() -> Arrays.copyOfRange(new int[1], 2, 3));
        t(() -> Arrays.fill(new int[2], 1, 3, 0));
        t(() -> Enum.valueOf(E.class, "q"));
        t(() -> Optional.of(null));
        t(() -> Optional.empty().orElseThrow());
        t(() -> UUID.fromString("x"));
        t(() -> Character.toChars(-1));
        t(() -> Integer.parseInt("1", 99));
        t(() -> new Random().nextInt(0));
        t(() -> Thread.currentThread().setPriority(11));
        t(() -> new BitSet().set(-1));
        t(() -> String.format("%d", "s"));
        t(() -> String.format("%s"));
        t(() -> String.format("%q", 1));
        t(() -> new java.math.BigDecimal("x"));
        t(() -> new java.math.BigInteger(""));
        t(() -> java.math.BigDecimal.ONE.divide(new java.math.BigDecimal(3)));
        t(() -> java.math.BigInteger.ONE.divide(java.math.BigInteger.ZERO));
        t(() -> Math.addExact(Integer.MAX_VALUE, 1));
        t(() -> Math.toIntExact(1L << 40));
        t(() -> Locale.forLanguageTag(null));
        t(() -> Base64.getDecoder().decode("*"));
        t(() -> HexFormat.of().parseHex("abc"));
        t(() -> new int[] {1}[1]++);
        t(() -> java.nio.ByteBuffer.allocate(1).putInt(1));
        t(() -> java.nio.ByteBuffer.allocate(1).asReadOnlyBuffer().put((byte) 1));
        t(() -> java.nio.ByteBuffer.allocate(-1));
        t(() -> java.util.regex.Pattern.compile("("));
        t(() -> java.util.stream.Stream.of(1).map(x -> (String) o(x)).forEach(s -> s.length()));
        t(() -> java.time.LocalDate.of(2023, 2, 29));
        t(() -> Currency.getInstance("zzz"));
        t(() -> new Thread(() -> { }).setName(null));
    }
}
