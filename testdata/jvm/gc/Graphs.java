// jvm: --max-heap=128m
// Object graphs that change while collections happen: trees, maps, strings, arrays of arrays, all checked by content afterwards.
import java.util.*;

public class Graphs {
    static class Tree {
        Tree l, r;
        int v;
        Object load;
        Tree(int d, int v) {
            this.v = v;
            load = d % 3 == 0 ? new long[d + 1] : d % 3 == 1 ? "s" + v : List.of(v, d);
            if (d > 0) { l = new Tree(d - 1, v * 2); r = new Tree(d - 1, v * 2 + 1); }
        }
        long sum() {
            return v + (load instanceof long[] a ? a.length : load instanceof String s ? s.length()
                : ((List<?>) load).size()) + (l == null ? 0 : l.sum() + r.sum());
        }
    }
    public static void main(String[] args) {
        Tree keep = new Tree(12, 1);
        long first = keep.sum();
        Map<String, List<Integer>> map = new HashMap<>();
        Random rnd = new Random(42);
        Object[][] slots = new Object[64][];
        long check = 0;
        for (int round = 0; round < 30; round++) {
            Tree junk = new Tree(9, round);
            check += junk.sum();
            for (int i = 0; i < 300; i++)
                map.computeIfAbsent("key" + rnd.nextInt(500), k -> new ArrayList<>()).add(round * i);
            if (round % 5 == 4) map.keySet().removeIf(k -> k.hashCode() % 3 == 0);
            slots[rnd.nextInt(64)] = new Object[] {new int[rnd.nextInt(5000)], "r" + round, slots[rnd.nextInt(64)]};
            StringBuilder sb = new StringBuilder();
            for (int i = 0; i < 500; i++) sb.append(i);
            check += sb.toString().hashCode();
            if (round % 10 == 0) System.gc();
        }
        System.out.println(check + " " + (keep.sum() == first) + " " + first);
        int total = 0;
        for (List<Integer> l : new TreeMap<>(map).values()) total = total * 31 + l.hashCode();
        System.out.println(map.size() + " " + total);
        int depth = 0;
        for (Object[] s : slots)
            for (Object[] x = s; x != null; x = (Object[]) x[2])
                depth += ((int[]) x[0]).length + ((String) x[1]).length();
        System.out.println(depth);
        List<String> strings = new ArrayList<>();
        for (int i = 0; i < 5000; i++) { strings.add(("dup" + i % 10).intern()); }
        Set<String> ids = Collections.newSetFromMap(new IdentityHashMap<>());
        ids.addAll(strings);
        System.out.println(ids.size());
        int[][][] cube = new int[20][30][];
        for (int i = 0; i < 20; i++) for (int j = 0; j < 30; j++) {
            cube[i][j] = new int[(i * j) % 17 + 1];
            Arrays.fill(cube[i][j], i ^ j);
            byte[] waste = new byte[20000];
        }
        long c = 0;
        for (int[][] a : cube) for (int[] b : a) for (int x : b) c = c * 7 + x;
        System.out.println(c);
        Runtime rt = Runtime.getRuntime();
        System.gc();
        long used = rt.totalMemory() - rt.freeMemory();
        byte[] big = new byte[30 << 20];
        long after = rt.totalMemory() - rt.freeMemory();
        System.out.println((after - used >= 25 << 20) + " " + big.length + " " + (rt.maxMemory() >= rt.totalMemory()));
        big = null;
        System.gc();
        System.out.println(rt.totalMemory() - rt.freeMemory() < after - (20 << 20));
    }
}
