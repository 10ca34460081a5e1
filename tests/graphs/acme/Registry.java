package acme;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** State of many forms, for tests to change. */
class Registry {
    static class User {
        String name;
        User invitedBy;
        List<String> mails = new ArrayList<>();

        User(String name, User invitedBy) {
            this.name = name;
            this.invitedBy = invitedBy;
        }
    }

    static class Node {
        int value;
        Node next;

        Node(int value, Node next) {
            this.value = value;
            this.next = next;
        }
    }

    static final User boss = new User("boss", null);
    static User deputy = boss;
    static final Map<String, User> users = new HashMap<>();
    static final List<String> names = new ArrayList<>(List.of("b", "c", "d"));
    static final int[] table = {1, 2, 3};
    static Map<String, String> settings = new HashMap<>(Map.of("a", "1"));
    static final ThreadLocal<List<String>> local = ThreadLocal.withInitial(ArrayList::new);
    static Node chain;
    static final List<Object> many = new ArrayList<>();

    static {
        users.put("alice", new User("alice", boss));
        local.get();
        for (int i = 0; i < 200; i++) {
            chain = new Node(i, chain);
        }
    }
}
