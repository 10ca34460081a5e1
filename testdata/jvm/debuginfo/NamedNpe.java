// The helpful messages of NullPointerException with names of locals and parameters, for every kind of instruction.
import java.util.*;

public class NamedNpe {
    int f;
    long l;
    double d;
    Object o;
    NamedNpe next;
    int[] ia;
    String[][] sa;
    static NamedNpe st;
    static int[] sia;
    boolean z;
    float fl;
    short sh;
    byte by;
    char ch;
    NamedNpe self() { return next; }
    int len(String s) { return s.length(); }
    static NamedNpe none(int a, String b) { return null; }
    static Object make() { return null; }
    interface T { void run() throws Throwable; }
    static void t(T r) {
        try {
            r.run();
            System.out.println("no exception");
        } catch (NullPointerException e) {
            System.out.println(e.getMessage());
        } catch (Throwable e) {
            System.out.println("other " + e);
        }
    }
    static void throwNull(RuntimeException e) { throw e; }
    static int unbox(Integer i) { return i; }
    static void params(int a, long b, String c, double d, int[] e) { System.out.println(c.length() + e[(int) b]); }
    static void params2(long b, int[] e) { e[0] = 1; }
    public static void main(String[] args) {
        NamedNpe h = new NamedNpe(), n = null;
        t(() -> System.out.println(st.f));
        t(() -> st.f = 1);
        t(() -> System.out.println(h.next.f));
        t(() -> h.next.l = 5);
        t(() -> h.next.next = h);
        t(() -> h.self().self());
        t(() -> h.next.self().f++);
        t(() -> none(1, "x").self());
        t(() -> st.self());
        t(() -> h.len(null));
        t(() -> System.out.println(h.ia[0]));
        t(() -> h.ia[3] = 4);
        t(() -> System.out.println(h.ia.length));
        t(() -> System.out.println(sia[h.f]));
        t(() -> sia[h.f + 1]++);
        t(() -> System.out.println(h.sa[1][2]));
        t(() -> { h.sa = new String[2][]; h.sa[1][2] = "q"; });
        t(() -> System.out.println(h.sa[1].length));
        t(() -> { h.sa[1] = new String[3]; h.sa[1][2].length(); });
        t(() -> h.sa[1][h.f].trim());
        t(() -> { synchronized (h.o) { h.f++; } });
        t(() -> { throw (RuntimeException) h.o; });
        t(() -> throwNull(null));
        t(() -> unbox(null));
        t(() -> { int i = (Integer) make(); });
        t(() -> make().toString());
        t(() -> ((String) make()).length());
        t(() -> ((int[]) make())[2] = 1);
        t(() -> ((long[]) make())[2] = 1);
        t(() -> System.out.println(((byte[]) make())[1]));
        t(() -> System.out.println(((char[]) make())[1]));
        t(() -> ((short[]) make())[1] = 2);
        t(() -> ((boolean[]) make())[1] = true);
        t(() -> System.out.println(((double[]) make())[1]));
        t(() -> ((float[]) make())[1] = 2);
        t(() -> ((Object[]) make())[1] = 2);
        t(() -> params(1, 2, null, 3, null)); t(() -> params(1, 0, "", 3, null)); t(() -> params2(1, null));
        t(() -> { NamedNpe local = none(2, "a"); local.f = 3; });
        t(() -> { int[] local = null; local[0] = 1; });
        t(() -> { for (String s : (List<String>) make()) System.out.println(s); });
        t(() -> { for (int i : (int[]) make()) System.out.println(i); });
        t(() -> n.self());
        t(() -> System.out.println(n.d));
        t(() -> { List<Integer> li = Arrays.asList(1, null); int sum = 0; for (int i : li) sum += i; });
        t(() -> { Map<String, Integer> m = new HashMap<>(); int v = m.get("a"); });
        t(() -> Objects.requireNonNull(null));
        t(() -> { throw new NullPointerException(); });
        t(() -> { throw new NullPointerException("own"); });
        t(() -> { Runnable r = (Runnable) make(); r.run(); });
        t(() -> { String s = (String) make(); switch (s) { case "a": break; } });
        t(() -> { Thread.State s = (Thread.State) make(); switch (s) { case NEW: break; default: } });
        t(() -> h.new In(1));
        t(() -> n.new In(1));
        t(() -> { java.util.function.Supplier<?> x = ((NamedNpe) make())::self; });
        t(() -> ((Comparable<Object>) make()).compareTo(1));
        t(() -> List.of((Object) null));
        t(() -> "a".concat(null));
        t(() -> "a".compareTo(null));
        t(() -> new TreeMap<String, String>().put(null, ""));
        t(() -> System.out.println(h.z & st.z | st.by + st.sh > st.ch));
        t(() -> st.ch++);
        t(() -> h.ia[h.ia[0]] = h.ia[1]);
        t(() -> System.out.println((new int[3][][][])[1][2].length));
        t(() -> { int[][] q = new int[3][]; q[1 + h.f * 2 - (int) h.l][0] = 1; });
        NullPointerException e = new NullPointerException();
        System.out.println(e.getMessage() + " " + e);
    }
    class In { In(int i) { } }
}
