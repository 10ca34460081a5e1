// Methods that only return a field: every type, overridden, through interfaces, on null, with and without locks.
public class Accessors {
    interface Named {
        String name();

        default int size() {
            return -1;
        }
    }

    static class Base implements Named {
        boolean z = true;
        byte b = -2;
        char c = '\uffee';
        short s = -300;
        int i = 123456789;
        long l = -1234567890123L;
        float f = 1.5f;
        double d = -2.25;
        String name = "base";
        int[] array = {1, 2, 3};
        volatile int v = 7;

        boolean z() { return z; }
        byte b() { return b; }
        char c() { return c; }
        short s() { return s; }
        int i() { return i; }
        long l() { return l; }
        float f() { return f; }
        double d() { return d; }
        public String name() { return name; }
        int[] array() { return array; }
        int v() { return v; }
        int wide() { return b; }
        synchronized int locked() { return i; }
        Object self() { return this; }
        Base next;
        Base next() { return next; }
    }

    static class Derived extends Base {
        String name = "derived";
        int i = 42;
        @Override public String name() { return name; }
        @Override int i() { return i; }
        @Override public int size() { return i; }
    }

    static class Counting extends Base {
        int calls;
        @Override int i() { return ++calls; }
        @Override public String name() { return super.name() + calls; }
    }

    public static void main(String[] args) {
        Base[] all = {new Base(), new Derived(), new Counting()};
        for (int round = 0; round < 3; round++) {
            for (Base x : all) {
                System.out.println(x.z() + " " + x.b() + " " + (int) x.c() + " " + x.s() + " " + x.i() + " " + x.l() + " " + x.f() + " "
                        + x.d() + " " + x.name() + " " + x.array().length + " " + x.v() + " " + x.wide() + " " + x.locked() + " "
                        + ((Named) x).name() + " " + ((Named) x).size() + " " + (x.self() == x));
                x.z = !x.z;
                x.b++;
                x.i -= 1;
                x.l *= 3;
                x.d /= 2;
                x.v++;
            }
        }
        Base none = all[0].next();
        try {
            none.i();
        } catch (NullPointerException e) {
            System.out.println(e.getMessage() + " " + e.getStackTrace().length);
        }
        try {
            all[0].next().next().name();
        } catch (NullPointerException e) {
            System.out.println(e.getStackTrace()[0].getMethodName());
        }
        try {
            ((Named) none).name();
        } catch (NullPointerException e) {
            System.out.println(e.getStackTrace()[0].getMethodName());
        }
        long sum = 0;
        for (int i = 0; i < 100000; i++) {
            sum += all[i % 3].i() + all[i % 2].l();
        }
        System.out.println(sum);
    }
}
