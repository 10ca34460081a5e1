import java.lang.reflect.InvocationTargetException;

/** Native methods of a program's own that no library gives: an error to catch, with the method in its message. */
public class OwnNatives {
    static native void bar();

    native int sum(int a, String[] b, long... c);

    static native synchronized OwnNatives[][] made();

    static native void registerNatives();

    static native void initIDs();

    static class Inner {
        private native double half(double d);
    }

    interface Act {
        void run() throws Throwable;
    }

    static void show(Act act) {
        try {
            act.run();
            System.out.println("no error");
        } catch (Throwable t) {
            System.out.println(t);
        }
    }

    public static void main(String[] args) throws Exception {
        show(OwnNatives::bar);
        show(() -> new OwnNatives().sum(1, new String[0], 2, 3));
        show(OwnNatives::made);
        show(() -> new Inner().half(1));
        // The JDK's own of these names do nothing that could be seen; a program's are like any other.
        show(OwnNatives::registerNatives);
        show(OwnNatives::initIDs);
        show(OwnNatives::bar);
        try {
            OwnNatives.class.getDeclaredMethod("bar").invoke(null);
        } catch (InvocationTargetException e) {
            System.out.println("reflected: " + e.getCause());
        }
        show(() -> System.load("/nowhere/libnone.so"));
        show(() -> System.load("relative.so"));
        Thread thread = new Thread(OwnNatives::bar);
        thread.setUncaughtExceptionHandler((t, e) -> System.out.println("thread: " + e));
        thread.start();
        thread.join();
    }
}
