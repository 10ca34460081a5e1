package od;

final class Wall {
    static String colour = "white";

    private Wall() {}
}
