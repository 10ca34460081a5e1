package shop;

import java.util.LinkedHashMap;
import java.util.Map;

public final class Cart {
    private final Map<String, Integer> cents = new LinkedHashMap<>();

    public void add(String name, int price) {
        if (price < 0) {
            throw new IllegalArgumentException("a price below nothing: " + price);
        }
        cents.merge(name, price, Integer::sum);
    }

    public int total() {
        int sum = cents.values().stream().mapToInt(Integer::intValue).sum();
        return sum - sum * Settings.discount() / 100;
    }

    public String bill() {
        return String.format("%d.%02d %s", total() / 100, total() % 100, Settings.currency());
    }
}
