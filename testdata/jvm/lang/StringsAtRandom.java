import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.Random;
import java.util.Set;

/** What the VM does itself for strings and arrays, against the library: random arguments, good and bad. */
public class StringsAtRandom {
    interface Body { Object run() throws Throwable; }

    static final Random random = new Random(5);
    static final Set<String> seen = new LinkedHashSet<>();
    static long hash = 7;

    static void add(Object o) {
        hash = hash * 1000003 + (o == null ? 0 : o.hashCode());
    }

    static void t(Body body) {
        try {
            add(body.run());
        } catch (Throwable e) {
            add(e.toString());
            // Compiled code has no frame for the copy itself.
            boolean copying = String.valueOf(e.getMessage()).startsWith("arraycopy");
            String where = copying ? "a copy" : e.getStackTrace()[0].toString();
            add(where);
            if (seen.add(e.toString().replaceAll("-?[0-9]+", "#") + where)) {
                System.out.println(e + " @ " + where);
            }
        }
    }

    static String text() {
        int kind = random.nextInt(4);
        StringBuilder b = new StringBuilder();
        for (int n = random.nextInt(12); n > 0; n--) {
            switch (kind) {
                case 0: b.append((char) ('a' + random.nextInt(3))); break;
                case 1: b.append((char) random.nextInt(256)); break;
                case 2: b.append((char) (random.nextInt(5) + 0xfe)); break;
                default: b.append("ab\ud83d\ude00\u00e9".charAt(random.nextInt(5)));
            }
        }
        return b.toString();
    }

    static void strings(String s, String q, int x, int y, int c) {
        t(() -> s.length());
        t(() -> s.charAt(x));
        t(() -> s.equals(q));
        t(() -> s.hashCode());
        t(() -> s.startsWith(q));
        t(() -> s.startsWith(q, x));
        t(() -> s.endsWith(q));
        t(() -> s.compareTo(q));
        t(() -> s.indexOf(c));
        t(() -> s.indexOf(c, x));
        t(() -> s.lastIndexOf(c));
        t(() -> s.lastIndexOf(c, x));
        t(() -> s.indexOf(q));
        t(() -> s.indexOf(q, x));
        t(() -> s.lastIndexOf(q));
        t(() -> s.substring(x));
        t(() -> s.substring(x, y));
        t(() -> s.replace((char) c, 'q'));
        t(() -> s.replace('a', (char) c));
        t(() -> s.concat(q));
        t(() -> s.contains(q));
        t(() -> s.isEmpty());
        t(() -> s.toUpperCase());
        t(() -> s.intern() == s.intern());
        t(() -> s.compareToIgnoreCase(q));
        t(() -> s.equalsIgnoreCase(q));
        t(() -> s.trim());
        t(() -> s.repeat(x));
        t(() -> s.codePointAt(x));
        t(() -> new StringBuilder(s).append(q).append((char) c).append(x).insert(1, q).reverse().toString());
        t(() -> new StringBuffer(s).append(q).append((char) c).append(1.5).toString());
        t(() -> Arrays.hashCode(s.getBytes(StandardCharsets.UTF_8)));
        t(() -> new String(s.toCharArray(), x, y));
        t(() -> {
            char[] d = new char[8];
            s.getChars(x, y, d, 1);
            return new String(d);
        });
        t(() -> s + q + x + (char) c);
        t(() -> s.split("a").length);
        t(() -> String.join("-", s, q));
    }

    static void arrays(String s, String q, int x, int y, int c) {
        byte[] b = s.getBytes(StandardCharsets.ISO_8859_1);
        char[] cs = s.toCharArray();
        int[] is = s.chars().toArray();
        long[] ls = s.chars().asLongStream().toArray();
        String[] ss = {s, q};
        t(() -> Arrays.hashCode(Arrays.copyOf(b, x)));
        t(() -> Arrays.hashCode(Arrays.copyOf(cs, x)));
        t(() -> Arrays.hashCode(Arrays.copyOf(is, x)));
        t(() -> Arrays.hashCode(Arrays.copyOf(ls, x)));
        t(() -> Arrays.hashCode(Arrays.copyOf(ss, x)));
        t(() -> Arrays.hashCode(Arrays.copyOfRange(is, x, y)));
        t(() -> Arrays.hashCode(Arrays.copyOfRange(b, x, y)));
        t(() -> Arrays.hashCode(Arrays.copyOfRange(ss, x, y)));
        t(() -> {
            Arrays.fill(is, x, y, c);
            return Arrays.hashCode(is);
        });
        t(() -> {
            Arrays.fill(cs, x, y, (char) c);
            return Arrays.hashCode(cs);
        });
        t(() -> {
            Arrays.fill(ls, c);
            return Arrays.hashCode(ls);
        });
        t(() -> Arrays.equals(b, q == null ? null : q.getBytes(StandardCharsets.ISO_8859_1)));
        t(() -> Arrays.mismatch(cs, q == null ? cs : q.toCharArray()));
        t(() -> Arrays.compare(b, q.getBytes(StandardCharsets.UTF_8)));
        t(() -> Arrays.hashCode(new short[] {(short) x, (short) c}));
        t(() -> {
            System.arraycopy(is, x, is, y, 2);
            return Arrays.hashCode(is);
        });
        t(() -> {
            Object[] o = {s, 1, q};
            System.arraycopy(o, 0, ss, 0, x & 3);
            return o[0];
        });
    }

    static void numbers(int x, int y, int c) {
        t(() -> Math.max(x, y) + Math.min(x, y) + Math.abs(x) + Math.floorMod(x, y));
        t(() -> Math.rint(x / 2.0) + Math.floor(y / 3.0) + Math.ceil(-0.3));
        t(() -> Integer.bitCount(x) + Integer.numberOfLeadingZeros(x) + Long.numberOfTrailingZeros(y));
        t(() -> Integer.reverseBytes(c));
        t(() -> Math.fma(x, y, 0.1) + Math.max(-0.0, 0.0) + Math.min(0f, -0f));
        t(() -> Math.multiplyHigh(x * 1234567890123L, y * 987654321098765L));
    }

    public static void main(String[] args) {
        for (int i = 0; i < 300; i++) {
            String s = text();
            String q = random.nextInt(20) == 0 ? null : text();
            int x = random.nextInt(16) - 2;
            int y = random.nextInt(16) - 2;
            int c = 'a' + random.nextInt(3);
            if (random.nextInt(3) == 0) {
                c = random.nextInt(20) == 0 ? 0x1f600 : random.nextInt(0x110);
            }
            strings(s, q, x, y, c);
            arrays(s, q, x, y, c);
            numbers(x, y, c);
        }
        System.out.println(Long.toHexString(hash));
    }
}
