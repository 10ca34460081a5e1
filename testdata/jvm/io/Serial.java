// Serialization: graphs, cycles, custom read and write, replace and resolve, externalizable, versions, transient, filters, failures.
import java.io.*;
import java.util.*;

public class Serial {
    static byte[] ser(Object o) throws IOException {
        ByteArrayOutputStream b = new ByteArrayOutputStream();
        try (ObjectOutputStream oo = new ObjectOutputStream(b)) { oo.writeObject(o); }
        return b.toByteArray();
    }
    @SuppressWarnings("unchecked") static <T> T de(byte[] b) throws Exception {
        try (ObjectInputStream i = new ObjectInputStream(new ByteArrayInputStream(b))) { return (T) i.readObject(); }
    }
    static <T> T copy(T t) throws Exception { return de(ser(t)); }
    interface R { Object run() throws Throwable; }
    static void t(String n, R r) {
        try {
            System.out.println(n + " " + r.run());
        } catch (Throwable e) {
            System.out.println(n + " !" + e.getClass().getSimpleName() + ": " + e.getMessage());
        }
    }
    static class Base { int b = 1; Base() { b = 42; } }
    static class Pt extends Base implements Serializable {
        private static final long serialVersionUID = 1;
        int x;
        transient int t = 5;
        final String s;
        Pt next;
        static int st = 9;
        int[] arr = {1, 2};
        char c = 'q';
        double d = 1.5;
        boolean z = true;
        long l = 1L << 40;
        float f = 2f;
        byte by = -1;
        short sh = -2;
        Pt(int x, String s) { this.x = x; this.s = s; }
    }
    static class Custom implements Serializable {
        transient List<String> l = new ArrayList<>();
        int v;
        private void writeObject(ObjectOutputStream o) throws IOException {
            o.defaultWriteObject();
            o.writeInt(l.size());
            for (String s : l) o.writeUTF(s);
            o.writeObject("tail");
        }
        private void readObject(ObjectInputStream i) throws IOException, ClassNotFoundException {
            i.defaultReadObject();
            l = new ArrayList<>();
            int n = i.readInt();
            for (int k = 0; k < n; k++) l.add(i.readUTF());
            l.add((String) i.readObject());
            v++;
        }
    }
    static class Single implements Serializable {
        static final Single I = new Single();
        private Object readResolve() { return I; }
    }
    static class Repl implements Serializable {
        String s;
        Repl(String s) { this.s = s; }
        private Object writeReplace() { return new Proxy(s); }
        static class Proxy implements Serializable {
            String s;
            Proxy(String s) { this.s = s; }
            private Object readResolve() { return new Repl(s + "!"); }
        }
    }
    public static class Ext implements Externalizable {
        int a;
        String b;
        public Ext() { }
        Ext(int a, String b) { this.a = a; this.b = b; }
        public void writeExternal(ObjectOutput o) throws IOException { o.writeInt(a); o.writeObject(b); }
        public void readExternal(ObjectInput i) throws IOException, ClassNotFoundException {
            a = i.readInt() + 1;
            b = (String) i.readObject();
        }
    }
    static class NoDef extends NoCtor implements Serializable { NoDef() { super(1); } }
    static class NoCtor { NoCtor(int i) { } }
    record Rec(int a, List<String> l) implements Serializable {
        Rec { if (a < 0) throw new IllegalArgumentException("neg"); }
    }
    enum E { A, B { } }
    static class NotSer { }
    static class Holder implements Serializable { Object o; Holder(Object o) { this.o = o; } }
    static class Fields implements Serializable {
        private static final ObjectStreamField[] serialPersistentFields = {new ObjectStreamField("name", String.class),
            new ObjectStreamField("n", int.class)};
        transient String real = "real";
        private void writeObject(ObjectOutputStream o) throws IOException {
            ObjectOutputStream.PutField p = o.putFields();
            p.put("name", real);
            p.put("n", 7);
            o.writeFields();
        }
        private void readObject(ObjectInputStream i) throws IOException, ClassNotFoundException {
            ObjectInputStream.GetField g = i.readFields();
            real = g.get("name", "x") + "" + g.get("n", 0) + g.defaulted("n");
        }
    }
    static class Valid implements Serializable, ObjectInputValidation {
        int v = 5;
        private void readObject(ObjectInputStream i) throws IOException, ClassNotFoundException {
            i.registerValidation(this, 0);
            i.defaultReadObject();
        }
        public void validateObject() throws InvalidObjectException {
            if (v == 5) throw new InvalidObjectException("five");
        }
    }
    public static void main(String[] args) throws Exception {
        Pt p = new Pt(3, "s");
        p.next = new Pt(4, null);
        p.next.next = p;
        p.b = 77;
        p.t = 99;
        Pt q = copy(p);
        System.out.println(q.x + q.s + q.t + q.b + q.next.x + q.next.s + (q.next.next == q) + Arrays.toString(q.arr)
            + q.c + q.d + q.z + q.l + q.f + q.by + q.sh + ser(p).length);
        Custom c = new Custom();
        c.l.addAll(List.of("a", "é"));
        c.v = 5;
        System.out.println(copy(c).l + " " + copy(c).v);
        System.out.println((copy(Single.I) == Single.I) + " " + copy(new Repl("r")).s + " " + copy(new Ext(1, "e")).a
            + copy(new Ext(1, "e")).b + " " + copy(new Rec(1, new ArrayList<>(List.of("q")))) + (copy(E.B) == E.B)
            + (copy(Thread.State.NEW) == Thread.State.NEW) + copy(new Fields()).real + copy(String.class)
            + copy(int[].class) + copy(int.class));
        Object shared = new int[] {1};
        Object[] two = copy(new Object[] {shared, shared, "x", "x"});
        System.out.println((two[0] == two[1]) + " " + (two[2] == two[3]));
        for (Object o : new Object[] {1, 2L, 3.5, 'c', true, "str", "x".repeat(70000).length(),
            new int[][] {{1}, {2, 3}}, new ArrayList<>(List.of(1, 2)), new HashMap<>(Map.of("k", 1)),
            new TreeMap<>(Map.of(2, "b", 1, "a")), new LinkedHashSet<>(List.of(3, 1)), List.of(1, 2), Map.of("a", 1),
            Set.of(5), Collections.unmodifiableList(new ArrayList<>(List.of(7))), new BitSet(),
            new java.math.BigInteger("123456789012345678901"), new java.math.BigDecimal("1.50"),
            java.time.LocalDate.of(2024, 1, 2), java.time.ZonedDateTime.of(2024, 1, 2, 3, 4, 5, 6,
            java.time.ZoneId.of("UTC")), java.time.Duration.ofSeconds(5), new Date(0), Locale.FRANCE,
            UUID.nameUUIDFromBytes(new byte[1]), new StringBuilder("sb"), new java.net.URI("http://x/y"), new File("f"),
            Arrays.asList(1, null), EnumSet.of(E.A), new EnumMap<>(Map.of(E.A, 1)), new ArrayDeque<>(List.of(1)),
            new PriorityQueue<>(List.of(2, 1)), new java.util.concurrent.atomic.AtomicInteger(5),
            new java.util.concurrent.ConcurrentHashMap<>(Map.of(1, 2)), new IllegalStateException("ex").getMessage(),
            Currency.getInstance("EUR"), new Random(5).nextInt(), Optional.class,
            java.util.regex.Pattern.compile("a+").pattern(),
            new java.text.SimpleDateFormat("yyyy", Locale.US).toPattern(), TimeZone.getTimeZone("UTC").getID(),
            new IdentityHashMap<>(Map.of(1, 2)), new LinkedList<>(List.of(1)), new Vector<>(List.of(1)), new Stack<>(),
            new Properties()}) {
            Object k = copy(o);
            System.out.print((k instanceof Object[] a ? Arrays.deepToString(a) : k) + " ");
        }
        System.out.println();
        t("not ser", () -> ser(new NotSer()));
        t("nested", () -> ser(new Holder(new NotSer())));
        t("no ctor", () -> copy(new NoDef()));
        t("optional", () -> copy(Optional.of(1)));
        t("thread", () -> ser(new Thread()));
        byte[] rec = ser(new Rec(1, null));
        for (int i = rec.length - 1; i > 0; i--) if (rec[i] == 1 && rec[i - 1] == 0 && rec[i - 2] == 0
            && rec[i - 3] == 0) {
            rec[i - 3] = -1;
            break;
        }
        t("bad record", () -> de(rec));
        t("validation", () -> copy(new Valid()));
        byte[] good = ser("hello");
        t("trunc", () -> de(Arrays.copyOf(good, good.length - 2)));
        t("magic", () -> de(new byte[] {1, 2, 3, 4}));
        byte[] uid = ser(p);
        String cn = "Serial$Pt";
        for (int i = 0; i < uid.length - 9; i++) if (new String(uid, i, 9).equals(cn)) { uid[i + 16]++; break; }
        t("uid", () -> de(uid));
        byte[] ren = ser(new Holder(1));
        for (int i = 0; i < ren.length - 13; i++) if (new String(ren, i, 13).equals("Serial$Holder")) ren[i + 7] = 'X';
        t("class", () -> de(ren));
        t("filter", () -> { ObjectInputStream i = new
            ObjectInputStream(new ByteArrayInputStream(ser(new Holder(List.of(1)))));
            i.setObjectInputFilter(ObjectInputFilter.Config.createFilter("Serial$*;!*")); return i.readObject(); });
        ByteArrayOutputStream b = new ByteArrayOutputStream();
        ObjectOutputStream o = new ObjectOutputStream(b) {{ enableReplaceObject(true);
            } @Override protected Object replaceObject(Object x) { return x instanceof String s ? s.toUpperCase() : x;
            } };
        o.writeObject("up");
        o.writeInt(5);
        int[] mut = {1};
        o.writeObject(mut);
        mut[0] = 2;
        o.writeObject(mut);
        o.writeUnshared(mut);
        o.reset();
        o.writeObject(mut);
        o.writeUTF("utf");
        o.close();
        ObjectInputStream i = new ObjectInputStream(new ByteArrayInputStream(b.toByteArray()));
        System.out.println(i.readObject() + " " + i.readInt() + ((int[]) i.readObject())[0]
            + ((int[]) i.readObject())[0] + ((int[]) i.readObject())[0] + ((int[]) i.readObject())[0] + i.readUTF()
            + i.available());
        t("eof", i::readObject);
        ObjectStreamClass os = ObjectStreamClass.lookup(Pt.class);
        System.out.println(os.getName() + os.getSerialVersionUID() + os.getFields().length + os.getField("x")
            + ObjectStreamClass.lookup(NotSer.class) + ObjectStreamClass.lookup(Holder.class).getSerialVersionUID()
            + " " + ObjectStreamClass.lookup(E.class).getSerialVersionUID() + Arrays.hashCode(ser(p)));
    }
}
