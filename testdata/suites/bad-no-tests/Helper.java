package bad;

public class Helper {
    public static int one() {
        return 1;
    }
}
