import java.io.InputStream;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodHandles.Lookup.ClassOption;
import java.lang.invoke.MethodType;
import java.lang.management.ManagementFactory;
import java.lang.ref.PhantomReference;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.lang.reflect.Array;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.function.Supplier;

/** Loaders that nothing refers to go with their classes; whatever refers to one of them keeps all of them. */
public class Unloading {
    static final class Loader extends ClassLoader {
        Loader() {
            super(Unloading.class.getClassLoader());
        }

        Class<?> define(String name) throws Exception {
            byte[] bytes = bytes(name);
            return defineClass("Unloading$" + name, bytes, 0, bytes.length);
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            Class<?> own = findLoadedClass(name);
            return own != null ? own : super.loadClass(name, resolve);
        }
    }

    static byte[] bytes(String name) throws Exception {
        try (InputStream in = Unloading.class.getResourceAsStream("Unloading$" + name + ".class")) {
            return in.readAllBytes();
        }
    }

    /** What is loaded: static state of its own, and code of many kinds. */
    public static class Plugin implements Supplier<String> {
        public static Object state = new int[100];
        static final Object lock = new Object();
        static int count;

        @Override
        public String get() {
            Supplier<String> inner = () -> "lambda " + count;
            Runnable more = this::step;
            more.run();
            return inner.get() + " of " + getClass().getName() + " " + new int[count].length;
        }

        void step() {
            synchronized (lock) {
                count++;
            }
        }

        public static void fail() {
            throw new IllegalStateException("from a plugin");
        }

        public static void hold(CountDownLatch started, CountDownLatch end) throws InterruptedException {
            started.countDown();
            end.await();
        }
    }

    public static class Base {
        public static String name = new String("base");
    }

    public static class Derived extends Base {
    }

    public static class Hidden {
        public static int value = 3;

        public static int twice(int x) {
            return x * 2;
        }
    }

    public interface Greeting {
        String greet();
    }

    static List<WeakReference<?>> refs = new ArrayList<>();
    static Object kept;

    static void watch(Object... objects) {
        for (Object o : objects) {
            refs.add(new WeakReference<>(o));
        }
    }

    static void report(String what) throws Exception {
        for (int i = 0; i < 3; i++) {
            System.gc();
        }
        StringBuilder text = new StringBuilder(what).append(':');
        for (WeakReference<?> ref : refs) {
            text.append(ref.get() == null ? " gone" : " there");
        }
        System.out.println(text);
    }

    static void dropAndReport(String what) throws Exception {
        report(what);
        kept = null;
        report("  then");
        refs.clear();
    }

    static Class<?> plugin() throws Exception {
        return new Loader().define("Plugin");
    }

    @SuppressWarnings("unchecked")
    static void nothing() throws Exception {
        Class<?> c = plugin();
        Supplier<String> s = (Supplier<String>) c.getConstructor().newInstance();
        System.out.println(s.get() + ", " + s.get());
        watch(c.getClassLoader(), c, c.getField("state").get(null));
    }

    static void mirror() throws Exception {
        Class<?> c = plugin();
        watch(c.getClassLoader(), c, c.getField("state").get(null));
        kept = c;
    }

    static void instance() throws Exception {
        Class<?> c = plugin();
        watch(c.getClassLoader(), c, c.getField("state").get(null));
        kept = c.getConstructor().newInstance();
    }

    static void loader() throws Exception {
        Class<?> c = plugin();
        watch(c.getClassLoader(), c, c.getField("state").get(null));
        kept = c.getClassLoader();
    }

    static void array() throws Exception {
        Class<?> c = plugin();
        watch(c.getClassLoader(), c, c.getField("state").get(null));
        kept = Array.newInstance(c, 0, 0);
    }

    static void exception() throws Exception {
        Class<?> c = plugin();
        watch(c.getClassLoader(), c);
        try {
            MethodHandles.lookup().findStatic(c, "fail", MethodType.methodType(void.class)).invoke();
        } catch (Throwable e) {
            kept = e;
        }
    }

    static void handle() throws Throwable {
        Class<?> c = plugin();
        watch(c.getClassLoader(), c);
        MethodHandle handle = MethodHandles.lookup().findConstructor(c, MethodType.methodType(void.class));
        handle.invoke();
        kept = handle;
    }

    static void derived() throws Exception {
        Loader base = new Loader();
        Class<?> b = base.define("Base");
        Class<?> d = new ClassLoader(base) {
            Class<?> define() throws Exception {
                byte[] bytes = bytes("Derived");
                return defineClass("Unloading$Derived", bytes, 0, bytes.length);
            }
        }.define();
        watch(b.getClassLoader(), b, b.getField("name").get(null), d);
        kept = d.getConstructor().newInstance();
    }

    static void proxy() throws Exception {
        Loader loader = new Loader();
        Class<?> face = loader.define("Greeting");
        Object proxy = Proxy.newProxyInstance(loader, new Class<?>[] {face}, (p, m, a) -> "hello");
        System.out.println(face.getMethod("greet").invoke(proxy));
        watch(loader, face, proxy.getClass());
        kept = proxy;
    }

    static void hidden(ClassOption... options) throws Throwable {
        MethodHandles.Lookup lookup = MethodHandles.lookup();
        MethodHandles.Lookup own = lookup.defineHiddenClass(bytes("Hidden"), true, options);
        Class<?> c = own.lookupClass();
        MethodHandle twice = own.findStatic(c, "twice", MethodType.methodType(int.class, int.class));
        System.out.println((int) twice.invoke(21));
        watch(c);
        kept = twice;
    }

    static Thread running(CountDownLatch end) throws Exception {
        Class<?> c = plugin();
        watch(c.getClassLoader(), c);
        CountDownLatch started = new CountDownLatch(1);
        MethodHandle hold = MethodHandles.lookup().findStatic(c, "hold",
            MethodType.methodType(void.class, CountDownLatch.class, CountDownLatch.class));
        Thread thread = new Thread(new Call(hold, started, end));
        thread.start();
        started.await();
        return thread;
    }

    static final class Call implements Runnable {
        MethodHandle handle;
        final CountDownLatch started;
        final CountDownLatch end;

        Call(MethodHandle handle, CountDownLatch started, CountDownLatch end) {
            this.handle = handle;
            this.started = started;
            this.end = end;
        }

        @Override
        public void run() {
            try {
                take().invoke(started, end);
            } catch (Throwable e) {
                e.printStackTrace();
            }
        }

        private MethodHandle take() {
            MethodHandle taken = handle;
            handle = null;
            return taken;
        }
    }

    static PhantomReference<Object> queued(ReferenceQueue<Object> queue, List<Reference<?>> all) throws Exception {
        Class<?> c = plugin();
        all.add(new WeakReference<>(c, queue));
        all.add(new WeakReference<>(c.getClassLoader(), queue));
        return new PhantomReference<>(c, queue);
    }

    public static void main(String[] args) throws Throwable {
        nothing();
        dropAndReport("nothing");
        mirror();
        dropAndReport("mirror");
        instance();
        dropAndReport("instance");
        loader();
        dropAndReport("loader");
        array();
        dropAndReport("array");
        exception();
        dropAndReport("exception");
        handle();
        dropAndReport("handle");
        derived();
        dropAndReport("derived");
        proxy();
        dropAndReport("proxy");
        hidden();
        dropAndReport("hidden");
        hidden(ClassOption.NESTMATE);
        dropAndReport("hidden nestmate");
        hidden(ClassOption.STRONG);
        dropAndReport("hidden strong");

        CountDownLatch end = new CountDownLatch(1);
        Thread thread = running(end);
        report("running");
        end.countDown();
        thread.join();
        thread = null;
        report("  then");
        refs.clear();

        ReferenceQueue<Object> queue = new ReferenceQueue<>();
        List<Reference<?>> all = new ArrayList<>();
        all.add(queued(queue, all));
        for (int i = 0; i < 3; i++) {
            System.gc();
        }
        int enqueued = 0;
        while (queue.remove(1000) != null) {
            enqueued++;
        }
        System.out.println("enqueued: " + enqueued + " of " + all.size());
        System.out.println("unloaded: " + (ManagementFactory.getClassLoadingMXBean().getUnloadedClassCount() > 10));
    }
}
