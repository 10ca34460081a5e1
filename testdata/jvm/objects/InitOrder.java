// The order in which classes, superclasses, interfaces with default methods, fields and blocks are initialised.
public class InitOrder {
    static int log(String s) {
        System.out.println(s);
        return s.length();
    }

    static class Base {
        static int a = log("Base.static field");
        int f = log("Base.field");

        static {
            log("Base.static block");
        }

        {
            log("Base.block");
        }

        Base() {
            this(7);
            log("Base()");
        }

        Base(int i) {
            log("Base(int)");
            hook();
        }

        void hook() {
            log("Base.hook");
        }
    }

    interface WithDefault {
        int X = log("WithDefault.X");

        default void d() {
        }
    }

    interface NoDefault {
        int Y = log("NoDefault.Y");
    }

    interface SubOfDefault extends WithDefault {
        int Z = log("SubOfDefault.Z");

        static void st() {
            log("SubOfDefault.st");
        }
    }

    static class Derived extends Base implements SubOfDefault, NoDefault {
        static final int CONST = 5;
        static final Integer BOXED = log("Derived.BOXED");
        int g = log("Derived.field");
        String s = "set";
        final int k = 3;

        Derived() {
            super();
            log("Derived() " + s);
        }

        @Override
        void hook() {
            log("Derived.hook " + s + " " + g + " " + k);
        }
    }

    static class Lazy {
        static final String COMPILE = "constant";
        static final String RUNTIME = new String("run");

        static {
            log("Lazy init");
        }

        static void touch() {
        }
    }

    static class Holder {
        static {
            log("Holder init");
        }

        static Lazy2[] arr = new Lazy2[3];
        static Class<?> k = Lazy2.class;
    }

    static class Lazy2 {
        static {
            log("Lazy2 init");
        }
    }

    static class A {
        static int x = B.y + 1;

        static {
            log("A " + x + " " + B.y);
        }
    }

    static class B {
        static int y = A.x + 1;

        static {
            log("B " + y);
        }
    }

    static class Parent {
        static int shared = log("Parent init");
    }

    static class Child extends Parent {
        static {
            log("Child init");
        }
    }

    enum E {
        ONE, TWO;
        static int count;

        static {
            log("E static " + values().length + " " + count);
        }

        E() {
            log("E() " + name());
        }
    }

    static class Self {
        static Self me = new Self();
        static int n = 5;
        int seen = n;
    }

    public static void main(String[] args) throws Exception {
        log("main");
        log(Lazy.COMPILE);
        log("const " + Derived.CONST);
        new Derived();
        log("again");
        new Derived();
        log(Lazy.RUNTIME);
        log("" + Holder.arr.length + Holder.k.getSimpleName());
        Class<?> noInit = Class.forName("InitOrder$Lazy2", false, InitOrder.class.getClassLoader());
        log("loaded " + noInit.getSimpleName());
        Class.forName("InitOrder$Lazy2");
        log("" + A.x);
        log("" + Child.shared);
        new Child();
        log("enum");
        log("" + E.TWO);
        log("" + Self.me.seen + Self.n);
        SubOfDefault.st();
        log("" + NoDefault.Y);
        Object o = null;
        log("" + (o instanceof Unused));
    }

    static class Unused {
        static {
            log("never");
        }
    }
}
