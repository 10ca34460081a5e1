// args: one two-three 4 é
// jvm: -Dpoldet.probe=yes -Dempty= -Dnovalue
// Arguments of main, system properties and the environment as given.
public class MainArgs {
    public static void main(String... args) {
        System.out.println(args.length + " " + String.join("|", args));
        System.out.println(System.getProperty("poldet.probe") + "," + System.getProperty("empty") + ","
            + System.getProperty("novalue")
            + "," + System.getProperty("absent") + "," + System.getProperty("absent", "default"));
        System.out.println(System.getenv("POLDET_PROBE") + " " + System.getenv("POLDET_ABSENT") + " "
            + System.getenv().containsKey("PATH"));
        System.setProperty("a.b", "c");
        System.out.println(System.getProperty("a.b") + " " + System.clearProperty("a.b") + " "
            + System.getProperty("a.b"));
        System.out.println(Integer.getInteger("absent", 7) + " " + Boolean.getBoolean("poldet.probe") + " "
            + Long.getLong("poldet.probe"));
        for (String key : new String[] {"file.separator", "path.separator", "line.separator",
            "java.specification.version",
            "java.vm.specification.version", "java.class.version", "java.specification.name", "file.encoding",
                "user.language",
            "java.io.tmpdir", "os.name", "sun.jnu.encoding", "native.encoding"}) {
            System.out.println(key + "=" + System.getProperty(key).replace("\n", "\\n"));
        }
        try {
            System.setProperty("", "x");
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
        try {
            System.getenv().put("a", "b");
        } catch (UnsupportedOperationException e) {
            System.out.println(e);
        }
        System.out.println(System.lineSeparator().length() + " " + Runtime.version().feature() + " "
            + Thread.currentThread().getName()
            + " " + Thread.currentThread().getPriority() + " " + Thread.currentThread().getThreadGroup().getName() + " "
            + Thread.currentThread().getThreadGroup().getParent().getName() + " " + Thread.currentThread());
        System.out.println(System.getSecurityManager() + " " + (System.console() == null));
    }
}
