package till;

public final class Till {
    public static int cents;

    private Till() {}
}
