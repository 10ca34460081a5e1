package org.junit.platform.engine;

public abstract class UniqueId {
    public static UniqueId forEngine(String engineId) {
        return null;
    }
}
