// Assertions are off unless asked for, and their conditions are not evaluated.
public class AssertsOff {
    static int evaluated;

    public static void main(String[] args) {
        assert ++evaluated < 0 : "must not be seen";
        System.out.println(evaluated + " " + AssertsOff.class.desiredAssertionStatus());
        ClassLoader loader = AssertsOff.class.getClassLoader();
        loader.setClassAssertionStatus("AssertsOff$Late", true);
        try {
            Late.check();
        } catch (AssertionError e) {
            System.out.println(e);
        }
        System.out.println(Late.class.desiredAssertionStatus() + " " + AssertsOff.class.desiredAssertionStatus());
    }

    static class Late {
        static void check() {
            assert false : "late";
        }
    }
}
