import java.io.InputStream;
import java.lang.ref.WeakReference;

/** Loaders come and go, each with a class that has static state, code and an interface of its own. */
public class ManyLoaders {
    public interface Step {
        int next(int n);
    }

    public static class Counter implements Step {
        static byte[] state = new byte[2000];
        static int count;

        @Override
        public int next(int n) {
            Step add = m -> m + state.length - 1999;
            return add.next(n) + count++;
        }
    }

    static final class Loader extends ClassLoader {
        final byte[] bytes;

        Loader(byte[] bytes) {
            super(ManyLoaders.class.getClassLoader());
            this.bytes = bytes;
        }

        Class<?> define() {
            return defineClass("ManyLoaders$Counter", bytes, 0, bytes.length);
        }
    }

    public static void main(String[] args) throws Exception {
        int rounds = args.length == 0 ? 2000 : Integer.parseInt(args[0]);
        byte[] bytes;
        try (InputStream in = ManyLoaders.class.getResourceAsStream("ManyLoaders$Counter.class")) {
            bytes = in.readAllBytes();
        }
        WeakReference<?>[] seen = new WeakReference<?>[rounds];
        int n = 0;
        for (int i = 0; i < rounds; i++) {
            Class<?> c = new Loader(bytes).define();
            Step step = (Step) c.getDeclaredConstructor().newInstance();
            n = step.next(n);
            seen[i] = new WeakReference<>(c);
        }
        System.gc();
        int there = 0;
        for (int i = 0; i < rounds - 10; i++) {
            there += seen[i].get() == null ? 0 : 1;
        }
        System.out.println(n + " steps, " + there + " of the first classes are there");
    }
}
