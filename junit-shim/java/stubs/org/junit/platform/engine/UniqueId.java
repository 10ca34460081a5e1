package org.junit.platform.engine;

import java.util.List;

public class UniqueId {
    public static UniqueId forEngine(String engineId) {
        return null;
    }

    public static UniqueId parse(String text) {
        return null;
    }

    public final List<Segment> getSegments() {
        return null;
    }

    public final UniqueId append(String type, String value) {
        return null;
    }

    public static class Segment {
        public String getType() {
            return null;
        }

        public String getValue() {
            return null;
        }
    }
}
