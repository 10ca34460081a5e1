// ExceptionInInitializerError first, NoClassDefFoundError afterwards; errors pass unwrapped; recursion in initialisers.
public class InitErrors {
    static class Bad { static int x = 1 / Integer.parseInt("0"); static void touch() { } }
    static class BadError { static { if (true) throw new StackOverflowError("own"); } static void touch() { } }
    static class SubOfBad extends Bad { static { System.out.println("never"); } static void hi() { } }
    static class Chained { static Object o = new Bad2(); }
    static class Bad2 { static { Object n = null; n.hashCode(); } }
    enum BadEnum { A("x"); BadEnum(String s) { Integer.parseInt(s); } }
    interface BadIface { int X = Integer.parseInt("q"); default void d() { } }
    static class UsesIface implements BadIface { }
    static class Checked {
        static {
            try {
                Class.forName("no.Such");
            } catch (ClassNotFoundException e) {
                throw new RuntimeException("wrapped", e);
            }
        }
        static int v;
    }
    interface T { void run() throws Throwable; }
    static void t(String n, T r) {
        for (int i = 0; i < 2; i++) try { r.run(); System.out.println(n + " ok"); }
        catch (Throwable e) {
            System.out.println(n + " " + e + " | cause " + e.getCause());
            if (e.getCause() != null && e.getCause().getCause() != null)
                System.out.println("    " + e.getCause().getCause());
        }
    }
    public static void main(String[] args) throws Exception {
        t("Bad", Bad::touch);
        t("BadNew", () -> new Bad());
        t("BadField", () -> Bad.x++);
        t("BadError", BadError::touch);
        t("SubOfBad", SubOfBad::hi);
        t("Chained", () -> System.out.println(Chained.o));
        t("BadEnum", () -> BadEnum.valueOf("A"));
        t("UsesIface", () -> new UsesIface());
        t("BadIface", () -> System.out.println(BadIface.X));
        t("Checked", () -> Checked.v = 1);
        t("forName", () -> Class.forName("InitErrors$Bad"));
        t("forNameNoInit", () -> System.out.println(Class.forName("InitErrors$Bad", false,
            InitErrors.class.getClassLoader())));
        t("reflect", () -> Bad.class.getDeclaredConstructor().newInstance());
        t("reflectMethod", () -> Bad.class.getDeclaredMethod("touch").invoke(null));
        t("array", () -> System.out.println(new Bad[1].length + Bad.class.getName()));
        try {
            Bad.touch();
        } catch (NoClassDefFoundError e) {
            java.io.StringWriter w = new java.io.StringWriter();
            e.printStackTrace(new java.io.PrintWriter(w));
            System.out.print(w);
        }
    }
}
