package shop;

import java.util.ArrayList;
import java.util.List;

/** What is in the shop, for everybody. */
public final class Stock {
    public static final List<String> GOODS = new ArrayList<>();

    private Stock() {}

    public static void add(String name) {
        GOODS.add(name);
    }
}
