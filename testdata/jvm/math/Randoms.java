// Random sequences: Random, SplittableRandom, the RandomGenerator algorithms with seeds, streams, gaussians, bounds, errors.
import java.util.*;
import java.util.random.*;
import java.util.stream.*;

public class Randoms {
    interface T { Object run() throws Throwable; }
    static void t(String n, T r) {
        try {
            System.out.println(n + " " + r.run());
        } catch (Throwable e) {
            System.out.println(n + " !" + e.getClass().getSimpleName() + ": " + e.getMessage());
        }
    }
    static String seq(RandomGenerator g) {
        StringBuilder sb = new StringBuilder();
        sb.append(g.nextInt()).append(' ').append(g.nextLong()).append(' ').append(g.nextInt(100)).append(' ').append(g.nextInt(5,
            50)).append(' ').append(g.nextLong(1L << 40)).append(' ').append(g.nextLong(-5,
            5)).append(' ').append(g.nextBoolean()).append(' ').append(g.nextFloat()).append(' ').append(g.nextFloat(2f)).append(' ').append(g.nextDouble()).append(' ').append(g.nextDouble(1,
            2)).append(' ').append(g.nextGaussian()).append(' ').append(g.nextGaussian(10,
            2)).append(' ').append(g.nextExponential()).append(' ');
        byte[] b = new byte[5];
        g.nextBytes(b);
        return sb.append(Arrays.toString(b)).append(g.ints(3, 0,
            10).boxed().toList()).append(g.doubles(1).sum()).append(g.longs(2).sum()).toString();
    }
    public static void main(String[] args) {
        for (long s : new long[] {0, 1, 42, -1, Long.MAX_VALUE}) System.out.println(s + " " + seq(new Random(s)));
        System.out.println(seq(new SplittableRandom(42)) + " " + seq(new SplittableRandom(42).split()));
        for (String n
            :
            "L32X64MixRandom L64X128MixRandom L64X128StarStarRandom L64X256MixRandom L64X1024MixRandom L128X128MixRandom L128X256MixRandom L128X1024MixRandom Xoroshiro128PlusPlus Xoshiro256PlusPlus Random SplittableRandom".split(" "))
            t(n, () -> { RandomGeneratorFactory<RandomGenerator> f = RandomGeneratorFactory.of(n);
            return seq(f.create(123)) + " " + f.group() + f.stateBits() + f.isJumpable() + f.isSplittable()
            + f.isStatistical() + f.equidistribution(); });
        t("unknown", () -> RandomGenerator.of("Nope"));
        t("default", () -> RandomGeneratorFactory.getDefault().name());
        RandomGenerator.JumpableGenerator j = (RandomGenerator.JumpableGenerator)
            RandomGeneratorFactory.of("Xoshiro256PlusPlus").create(7);
        j.jump();
        System.out.println(j.nextLong() + " " + j.copy().nextInt() + " "
            + j.jumps(2).mapToLong(RandomGenerator::nextLong).sum());
        RandomGenerator.SplittableGenerator sg = (RandomGenerator.SplittableGenerator)
            RandomGeneratorFactory.of("L64X128MixRandom").create(7);
        System.out.println(sg.split().nextLong() + " " + sg.splits(2).mapToLong(RandomGenerator::nextLong).sum());
        Random r = new Random(9);
        t("bound", () -> r.nextInt(0));
        t("range", () -> r.nextInt(5, 5));
        t("dbl", () -> r.nextDouble(Double.NaN));
        t("std", () -> r.nextGaussian(0, -1));
        t("size", () -> r.ints(-1));
        r.setSeed(5);
        System.out.println(r.nextInt() == new Random(5).nextInt());
        int[] hist = new int[10];
        for (int i = 0; i < 5000; i++) hist[r.nextInt(10)]++;
        System.out.println(Arrays.toString(hist));
        double g = 0;
        for (int i = 0; i < 2000; i++) g += r.nextGaussian();
        System.out.println(g);
        List<Integer> l = IntStream.range(0, 20).boxed().collect(Collectors.toList());
        Collections.shuffle(l, new Random(3));
        System.out.println(l + " " + (Math.random() < 1));
        Random sub = new Random(1) { @Override protected int next(int bits) { return 7; } };
        System.out.println(sub.nextInt() + " " + sub.nextLong() + " " + sub.nextBoolean() + sub.nextInt(5));
        System.out.println(r.ints(5, 10, 20).sorted().boxed().toList() + " " + r.doubles(3, 5, 6).max().getAsDouble()
            + new SplittableRandom(3).longs(4, 0, 9).boxed().toList());
    }
}
