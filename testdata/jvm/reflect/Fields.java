// Field access by reflection: every type, boxing, widening, finals, statics, access checks and messages.
import java.lang.reflect.*;
import java.util.*;

public class Fields {
    static class Base { protected int inherited = 1; private int hidden = 2; public int shadow = 3; }
    static class C extends Base {
        boolean z = true;
        byte b = 1;
        char c = 'c';
        short s = 2;
        int i = 3;
        long l = 4;
        float f = 5.5f;
        double d = 6.5;
        Object o = "o";
        int[] arr = {7};
        final int fin = new Random(1).nextInt(10) * 0 + 8;
        static int st = 9;
        static final String CONST = "k";
        static final List<String> SF = List.of("sf");
        public int shadow = 33;
        volatile transient int vt;
        Integer boxed = 5;
        String str;
        enum E { A }
        E e = E.A;
    }
    record Rec(int x) { }
    interface T { Object run() throws Throwable; }
    static void t(String n, T r) {
        try {
            System.out.println(n + " " + r.run());
        } catch (Throwable e) {
            System.out.println(n + " !" + e.getClass().getSimpleName() + ": "
                + String.valueOf(e.getMessage()).replaceAll("@[0-9a-f]+", "#"));
        }
    }
    static Field f(String n) throws Exception { return C.class.getDeclaredField(n); }
    public static void main(String[] args) throws Exception {
        C o = new C();
        for (String n : "z b c s i l f d o arr fin st CONST SF vt boxed str e".split(" ")) {
            Field f = f(n);
            Object v = f.get(o);
            System.out.println(f + " | " + f.toGenericString() + " | " + (v instanceof int[] a ? a[0] : v) + " | "
                + Modifier.toString(f.getModifiers()) + " | " + f.getType().getSimpleName());
        }
        for (String n : "z b c s i l f d o".split(" ")) {
            Field f = f(n);
            StringBuilder sb = new StringBuilder(n);
            for (String kind : "Boolean Byte Char Short Int Long Float Double".split(" ")) try {
                sb.append(' ').append(Field.class.getMethod("get" + kind, Object.class).invoke(f, o));
            } catch (InvocationTargetException e) {
                sb.append(" -");
            }
            System.out.println(sb);
        }
        Object[] vals = {true, (byte) 1, 'x', (short) 2, 3, 4L, 5f, 6d, "s", null};
        for (String n : "z b c s i l f d o boxed str".split(" ")) {
            Field f = f(n);
            StringBuilder sb = new StringBuilder(n);
            for (Object v : vals) try {
                f.set(o, v);
                sb.append(' ').append(f.get(o));
            } catch (IllegalArgumentException | NullPointerException e) {
                sb.append(e instanceof NullPointerException ? " npe" : " -");
            }
            System.out.println(sb);
        }
        t("set long<-int", () -> { f("l").setInt(o, 7); return o.l; });
        t("set int<-long", () -> { f("i").setLong(o, 7); return 0; });
        t("set double<-char", () -> { f("d").setChar(o, 'a'); return o.d; });
        t("set byte<-int", () -> { f("b").setInt(o, 1); return 0; });
        t("set bool<-int", () -> { f("z").setInt(o, 1); return 0; });
        t("set obj<-int", () -> { f("o").setInt(o, 1); return 0; });
        t("set str<-int", () -> { f("str").set(o, 1); return 0; });
        t("set arr", () -> { f("arr").set(o, new long[0]); return 0; });
        t("null obj", () -> f("i").get(null));
        t("wrong obj", () -> f("i").get("s"));
        t("static any", () -> f("st").get("ignored"));
        t("static set", () -> { f("st").setInt(null, 99); return C.st; });
        t("final", () -> { f("fin").set(o, 1); return 0; });
        t("final acc", () -> { Field x = f("fin"); x.setAccessible(true); x.setInt(o, 55); return o.fin; });
        t("static final", () -> { Field x = f("SF"); x.setAccessible(true); x.set(null, null); return 0; });
        t("record", () -> { Field x = Rec.class.getDeclaredField("x"); x.setAccessible(true); x.set(new Rec(1), 2);
            return 0; });
        t("inherited", () -> { Field x = Base.class.getDeclaredField("hidden"); return x.getInt(o); });
        t("shadow", () -> C.class.getField("shadow").get(o) + " " + Base.class.getField("shadow").get(o));
        t("no field", () -> C.class.getField("i"));
        t("no declared", () -> C.class.getDeclaredField("inherited"));
        t("jdk private", () -> { Field x = ArrayList.class.getDeclaredField("size"); return x.get(new ArrayList<>());
            });
        t("jdk open", () -> { ArrayList.class.getDeclaredField("size").setAccessible(true); return 0; });
        t("try access", () -> ArrayList.class.getDeclaredField("size").trySetAccessible());
        t("system in", () -> System.class.getDeclaredField("security"));
        t("array length", () -> int[].class.getFields().length);
        t("equals", () -> f("i").equals(f("i")) + " " + (f("i") == f("i")) + (f("i").hashCode() == f("i").hashCode()));
        System.out.println(Arrays.stream(C.class.getDeclaredFields()).map(Field::getName).toList());
        System.out.println(Arrays.stream(C.class.getFields()).map(x -> x.getDeclaringClass().getSimpleName() + "."
            + x.getName()).toList());
        int acc = 0;
        Field fi = f("i");
        for (int k = 0; k < 3000; k++) { fi.setInt(o, k); acc += fi.getInt(o) + (Integer) fi.get(o); }
        System.out.println(acc);
        System.out.println(f("i").isSynthetic() + " " + f("e").isEnumConstant() + " "
            + C.E.class.getField("A").isEnumConstant() + " " + f("SF").getGenericType() + " "
            + Modifier.toString(0xfff));
    }
}
