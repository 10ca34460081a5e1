// java.lang.reflect.Array: creation, get and set with conversions for each element type, and all failures.
import java.lang.reflect.Array;
import java.util.*;

public class ArraysReflect {
    interface T { Object run() throws Throwable; }
    static void t(String n, T r) {
        try {
            System.out.println(n + " " + r.run());
        } catch (Throwable e) {
            System.out.println(n + " !" + e.getClass().getSimpleName() + ": " + e.getMessage());
        }
    }
    public static void main(String[] args) {
        Class<?>[] kinds = {boolean.class, byte.class, char.class, short.class, int.class, long.class, float.class,
            double.class, String.class, Object.class, Integer.class, int[].class};
        Object[] vals = {true, (byte) 1, 'a', (short) 2, 3, 4L, 5.5f, 6.5, "s", null};
        for (Class<?> k : kinds) {
            Object a = Array.newInstance(k, 3);
            StringBuilder sb = new StringBuilder(a.getClass().getName() + " " + Array.getLength(a));
            for (Object v : vals) try {
                Array.set(a, 1, v);
                sb.append(' ').append(Array.get(a, 1));
            } catch (IllegalArgumentException | NullPointerException e) {
                sb.append(e instanceof NullPointerException ? " npe" : " -");
            }
            System.out.println(sb);
        }
        for (Class<?> k : kinds) {
            Object a = Array.newInstance(k, 1);
            StringBuilder sb = new StringBuilder(k.getSimpleName());
            List<Runnable> gets = List.of(() -> sb.append(Array.getBoolean(a, 0)), () -> sb.append(Array.getByte(a, 0)),
                () -> sb.append((int) Array.getChar(a, 0)), () -> sb.append(Array.getShort(a, 0)),
                () -> sb.append(Array.getInt(a, 0)), () -> sb.append(Array.getLong(a, 0)),
                () -> sb.append(Array.getFloat(a, 0)), () -> sb.append(Array.getDouble(a, 0))),
                sets = List.of(() -> Array.setBoolean(a, 0, true), () -> Array.setByte(a, 0, (byte) 1),
                () -> Array.setChar(a, 0, 'c'), () -> Array.setShort(a, 0, (short) 2), () -> Array.setInt(a, 0, 3),
                () -> Array.setLong(a, 0, 4), () -> Array.setFloat(a, 0, 5), () -> Array.setDouble(a, 0, 6));
            for (Runnable r : gets) {
                sb.append(' ');
                try { r.run(); } catch (IllegalArgumentException e) { sb.append('-'); }
            }
            sb.append(" |");
            for (Runnable r : sets) {
                sb.append(' ');
                try { r.run(); sb.append(Array.get(a, 0)); } catch (IllegalArgumentException e) { sb.append('-'); }
            }
            System.out.println(sb);
        }
        t("multi", () -> Arrays.deepToString((int[][][]) Array.newInstance(int.class, 2, 1, 2)));
        t("multi part", () -> Array.newInstance(String[].class, 2, 3).getClass());
        t("zero dims", () -> Array.newInstance(int.class, new int[0]));
        t("void", () -> Array.newInstance(void.class, 1));
        t("neg", () -> Array.newInstance(int.class, -1));
        t("neg multi", () -> Array.newInstance(int.class, 2, -3));
        t("null", () -> Array.newInstance(null, 1));
        t("not array", () -> Array.getLength("s"));
        t("get not array", () -> Array.get("s", 0));
        t("null array", () -> Array.getLength(null));
        t("oob", () -> Array.get(new int[2], 2));
        t("oob neg", () -> Array.getInt(new int[2], -1));
        t("set oob", () -> { Array.set(new String[1], 1, "x"); return 0; });
        t("set bad", () -> { Array.set(new String[1], 0, 1); return 0; });
        t("set bad prim", () -> { Array.set(new int[1], 0, "x"); return 0; });
        t("get bad", () -> Array.getInt(new Integer[] {1}, 0));
        t("get narrow", () -> Array.getInt(new long[1], 0));
        t("dims", () -> Array.newInstance(int.class, new int[256]));
        t("255", () -> Array.newInstance(int.class, new int[255]).getClass().getName().length());
        Object grow = new int[] {1, 2};
        Object big = Array.newInstance(grow.getClass().getComponentType(), 5);
        System.arraycopy(grow, 0, big, 0, 2);
        System.out.println(Arrays.toString((int[]) big));
        long acc = 0;
        long[] la = new long[100];
        for (int i = 0; i < 100; i++) {
            Array.setLong(la, i, i * 3L);
            acc += Array.getLong(la, i) + (Long) Array.get(la, i);
        }
        System.out.println(acc);
    }
}
