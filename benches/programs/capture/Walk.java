/** Builds the bench's structure and ends: the process that walks it does so afterwards. */
final class Walk {
    static Object kept;

    public static void main(String[] args) {
        kept = Shared.STRUCTURE;
    }
}
