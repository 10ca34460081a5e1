package org.junit.platform.engine;

public abstract class FilterResult {
    public static FilterResult included(String reason) {
        return null;
    }

    public static FilterResult excluded(String reason) {
        return null;
    }
}
