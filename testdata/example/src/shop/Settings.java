package shop;

/** What the whole shop agrees on: static, and therefore shared by all tests. */
public final class Settings {
    private static String currency = "EUR";
    private static int discount;

    private Settings() {}

    public static String currency() {
        return currency;
    }

    public static void useCurrency(String code) {
        currency = code;
    }

    public static int discount() {
        return discount;
    }

    public static void useDiscount(int percent) {
        discount = percent;
    }
}
