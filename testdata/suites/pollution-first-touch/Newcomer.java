package touch;

public class Newcomer {
    static int made;
    int field = 1;
}
