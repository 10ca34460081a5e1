package rules;

import java.util.ArrayList;
import java.util.List;

public class Kept {
    static final List<String> cache = new ArrayList<>();
    static final List<String> flagged = new ArrayList<>();
    static final List<String> filed = new ArrayList<>();
    static final Session session = new Session();
    static int plain;

    static void load() {}

    static class Session {
        long lastUsed;
        String user = "nobody";
    }
}
