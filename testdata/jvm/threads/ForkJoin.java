// Fork-join tasks, parallel streams and parallel array operations: results that do not depend on the number of processors.
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.stream.*;

public class ForkJoin {
    static class Sum extends RecursiveTask<Long> {
        final int[] a;
        final int lo, hi;
        Sum(int[] a, int lo, int hi) { this.a = a; this.lo = lo; this.hi = hi; }
        @Override protected Long compute() {
            if (hi - lo < 100) { long s = 0; for (int i = lo; i < hi; i++) s += a[i]; return s; }
            int mid = (lo + hi) >>> 1;
            Sum l = new Sum(a, lo, mid), r = new Sum(a, mid, hi);
            l.fork();
            return r.compute() + l.join();
        }
    }
    static class Fib extends RecursiveTask<Integer> {
        final int n;
        Fib(int n) { this.n = n; }
        @Override protected Integer compute() {
            if (n < 2) return n;
            Fib a = new Fib(n - 1), b = new Fib(n - 2);
            invokeAll(a, b);
            return a.join() + b.join();
        }
    }
    static class Inc extends RecursiveAction {
        final int[] a;
        final int lo, hi;
        Inc(int[] a, int lo, int hi) { this.a = a; this.lo = lo; this.hi = hi; }
        @Override protected void compute() {
            if (hi - lo <= 50) for (int i = lo; i < hi; i++) a[i]++;
                else invokeAll(new Inc(a, lo, (lo + hi) / 2), new Inc(a, (lo + hi) / 2, hi));
        }
    }
    static class Cnt extends CountedCompleter<Integer> {
        final int n;
        final AtomicInteger t;
        Cnt(CountedCompleter<?> p, int n, AtomicInteger t) { super(p); this.n = n; this.t = t; }
        @Override public void compute() {
            if (n > 1) {
                setPendingCount(2);
                new Cnt(this, n / 2, t).fork();
                new Cnt(this, n - n / 2, t).fork();
            } else t.incrementAndGet();
            tryComplete();
        }
        @Override public Integer getRawResult() { return t.get(); }
    }
    interface T { Object run() throws Throwable; }
    static void t(String k, T r) {
        try {
            System.out.println(k + " " + r.run());
        } catch (Throwable e) { while (e.getCause() != null) e = e.getCause();
        System.out.println(k + " !" + e.getClass().getSimpleName() + ": " + e.getMessage());
        }
    }
    public static void main(String[] args) throws Exception {
        int[] a = IntStream.range(0, 20000).toArray();
        System.out.println(ForkJoinPool.commonPool().invoke(new Sum(a, 0, a.length)) + " " + new Fib(14).invoke() + " "
            + new ForkJoinPool(3).submit(new Fib(10)).get());
        new Inc(a, 0, a.length).invoke();
        System.out.println(Arrays.stream(a).sum() + " " + new Cnt(null, 200, new AtomicInteger()).invoke());
        t("throws", () -> ForkJoinPool.commonPool().invoke(new RecursiveTask<Integer>() {
            @Override protected Integer compute() { throw new IllegalStateException("in task"); } }));
        System.out.println(IntStream.rangeClosed(1,
            5000).parallel().filter(x -> x % 3 == 0).mapToLong(x -> (long) x * x).sum() + " "
            + IntStream.range(0, 1000).parallel().boxed().collect(Collectors.toList()).equals(IntStream.range(0,
            1000).boxed().toList()) + " " + Stream.iterate(1,
            x -> x + 1).limit(500).parallel().map(x -> x * 2).sorted(Comparator.reverseOrder()).findFirst().get() + " "
            + IntStream.range(0, 300).parallel().mapToObj(i -> "w"
            + i % 7).collect(Collectors.groupingBy(s -> s, TreeMap::new, Collectors.counting())) + " "
            + Arrays.asList(5, 3, 9, 1).parallelStream().reduce(Integer::max).get() + " "
            + IntStream.range(0, 100).parallel().mapToObj(Integer::toString).collect(Collectors.joining(",")).hashCode()
            + " " + Stream.of("a", "b", "c").parallel().collect(StringBuilder::new, StringBuilder::append,
            StringBuilder::append) + " " + IntStream.range(0, 1000).parallel().skip(10).limit(5).boxed().toList() + " "
            + IntStream.range(0, 1000).parallel().anyMatch(x -> x == 999)
            + IntStream.range(0, 1000).parallel().allMatch(x -> x < 999) + " "
            + IntStream.range(0, 100).parallel().mapToObj(x -> x % 10).distinct().count() + " "
            + new ArrayList<>(List.of(1, 2, 3, 4, 5)).parallelStream().map(x -> x * x).toList());
        List<Integer> ord = new ArrayList<>();
        IntStream.range(0, 50).parallel().boxed().forEachOrdered(ord::add);
        System.out.println(ord.equals(IntStream.range(0, 50).boxed().toList()));
        t("parallel throws", () -> IntStream.range(0, 100).parallel().map(x -> 10 / (x - 50)).sum());
        ConcurrentMap<Integer, Long> cm = IntStream.range(0,
            1000).parallel().boxed().collect(Collectors.groupingByConcurrent(x -> x % 4, Collectors.counting()));
        System.out.println(new TreeMap<>(cm));
        int[] big = new Random(3).ints(9000).toArray(), cp = big.clone();
        Arrays.parallelSort(big);
        Arrays.sort(cp);
        System.out.println(Arrays.equals(big, cp) + " " + Arrays.hashCode(big));
        Integer[] bx = new Random(4).ints(9000, 0, 1000).boxed().toArray(Integer[]::new);
        Arrays.parallelSort(bx, Collections.reverseOrder());
        System.out.println(bx[0] + " " + bx[8999]);
        long[] pre = new long[5000];
        Arrays.parallelSetAll(pre, i -> i);
        Arrays.parallelPrefix(pre, Long::sum);
        System.out.println(pre[4999]);
        ConcurrentHashMap<String, Integer> chm = new ConcurrentHashMap<>();
        IntStream.range(0, 2000).parallel().forEach(i -> chm.merge("k" + i % 10, 1, Integer::sum));
        System.out.println(new TreeMap<>(chm) + " " + chm.reduceValues(1, Integer::sum) + " "
            + chm.search(1, (k, v) -> k.equals("k3") ? "found" + v : null) + " " + chm.mappingCount());
        System.out.println((ForkJoinPool.commonPool().getParallelism() >= 1) );
    }
}
