// A class that agents change.
public class Target {
    public static String say() {
        return "plain";
    }
}
