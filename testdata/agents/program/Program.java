// What a program sees of its agents.
import first.First;
import helper.Helper;

public class Program {
    public static void main(String[] args) throws Exception {
        System.out.println("main: " + Helper.told + " " + args.length);
        System.out.println(Target.say());
        First.redefine(Target.class, "plain", "other");
        System.out.println(Target.say());
        String path = System.getProperty("java.class.path");
        System.out.println(path.endsWith("second.jar") + " " + path.contains("first.jar:"));
        System.out.println(First.instrumentation.getObjectSize(new Object()) > 0);
        boolean loaded = false;
        for (Class<?> c : First.instrumentation.getAllLoadedClasses()) {
            loaded |= c == Target.class;
        }
        System.out.println(loaded);
    }
}
