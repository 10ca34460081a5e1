// StringBuilder and StringBuffer: every append and insert, delete, replace, reverse with surrogates, capacity, inflation to UTF-16.
import java.util.*;

public class Builders {
    interface T { Object run() throws Throwable; }
    static void t(String n, T r) {
        try {
            System.out.println(n + " " + r.run());
        } catch (Throwable e) {
            System.out.println(n + " !" + e.getClass().getSimpleName() + ": " + e.getMessage());
        }
    }
    public static void main(String[] args) throws Exception {
        StringBuilder sb = new StringBuilder();
        sb.append(true).append('c').append((byte) -5).append((short)
            6).append(Integer.MIN_VALUE).append(Long.MIN_VALUE).append(1.5f).append(-0.0).append("str").append((String)
            null).append((Object) null).append(new char[] {'x', 'y'}).append(new char[] {'1', '2', '3'}, 1,
            2).append("sequence", 2, 5).append(new StringBuilder("sb")).append(new
            StringBuffer("sbuf")).append((CharSequence)
            null).appendCodePoint(0x1F600).append(List.of(1)).append(0).append(9999999999L).append(1e300).append(Float.MIN_VALUE).append(100).append(-1);
        System.out.println(sb + " " + sb.length() + " " + sb.hashCode() * 0);
        StringBuilder in = new StringBuilder("base");
        in.insert(0, true).insert(2, 'c').insert(1, 55).insert(3, 7L).insert(0, 2.5f).insert(5,
            1e-5).insert(in.length(), "end").insert(4, new char[] {'p', 'q'}).insert(2, "sequence", 1, 3).insert(0,
            (Object) null).insert(0, (String) null).insert(3, "漢").insert(1, new char[] {'1', '2', '3'}, 1, 1);
        System.out.println(in);
        in.delete(0, 4).deleteCharAt(0).replace(1, 5, "REPLACED").setCharAt(0, 'é');
        in.setLength(in.length() - 2);
        System.out.println(in + " " + in.indexOf("E") + in.lastIndexOf("E") + in.indexOf("zz") + in.charAt(2)
            + in.substring(3) + in.substring(1, 4) + in.subSequence(0, 2) + in.codePointAt(0)
            + in.codePointCount(0, 5));
        in.setLength(30);
        System.out.println(in.toString().replace('\0', '.') + in.compareTo(new StringBuilder("a"))
            + in.equals(in.toString()));
        System.out.println(new StringBuilder("ab😀c").reverse() + " "
            + new StringBuilder("\ude00\ud83d").reverse().length() + new StringBuilder("ÿa").reverse()
            + new StringBuilder("漢b").reverse());
        System.out.println(new StringBuilder().capacity() + " " + new StringBuilder("abc").capacity()
            + new StringBuilder(5).append("1234567").capacity());
        StringBuilder cap = new StringBuilder(100);
        cap.append("x");
        cap.trimToSize();
        System.out.println(cap.capacity());
        cap.ensureCapacity(50);
        System.out.println(cap.capacity() >= 50);
        t("charAt", () -> sb.charAt(999));
        t("neg", () -> sb.charAt(-1));
        t("insert", () -> new StringBuilder().insert(1, "x"));
        t("delete", () -> new StringBuilder("abc").delete(2, 1));
        t("delete long", () -> new StringBuilder("abc").delete(1, 99));
        t("replace", () -> new StringBuilder("abc").replace(4, 5, ""));
        t("setLength", () -> { new StringBuilder().setLength(-1); return 0; });
        t("substring", () -> new StringBuilder("abc").substring(2, 9));
        t("setCharAt", () -> { new StringBuilder("abc").setCharAt(3, 'x'); return 0; });
        t("neg cap", () -> new StringBuilder(-1));
        t("append range", () -> new StringBuilder().append("abc", 2, 9));
        t("null ctor", () -> new StringBuilder((String) null));
        t("codepoint", () -> new StringBuilder().appendCodePoint(-1));
        StringBuffer bf = new StringBuffer("buffer");
        bf.append(1).insert(0, "pre").reverse().setCharAt(0, 'Z');
        System.out.println(bf + " " + bf.length() + bf.indexOf("u") + bf.capacity());
        StringBuilder grow = new StringBuilder();
        for (int i = 0; i < 3000; i++) {
            grow.append(i);
            if (i == 1500) grow.append('λ');
            if (i % 100 == 0) grow.insert(0, i);
            if (i % 150 == 0) grow.deleteCharAt(grow.length() / 2);
        }
        System.out.println(grow.length() + " " + grow.toString().hashCode() + " " + grow.indexOf("λ") + " "
            + grow.chars().filter(c -> c == '9').count());
        sb.setLength(0);
        sb.append(sb).append("q").append(sb).append(sb);
        System.out.println(sb + " " + sb.isEmpty());
        CharSequence cs = new StringBuilder("chars");
        System.out.println(cs.length() + "" + cs.charAt(1) + cs.chars().sum() + CharSequence.compare("a", cs)
            + String.join("|", cs, "z") + "chars".contentEquals(cs));
    }
}
