package acme;

import java.util.HashMap;
import java.util.Map;
import org.junit.BeforeClass;
import org.junit.Test;

public class RegistryTest {
    @BeforeClass
    public static void load() {
        Registry.boss.name.length();
    }

    @Test
    public void adds() {
        Registry.users.put("bob", new Registry.User("bob", Registry.users.get("alice")));
    }

    @Test
    public void atTheFront() {
        Registry.names.add(0, "a");
    }

    @Test
    public void element() {
        Registry.table[1] = 7;
    }

    @Test
    public void fieldOfAThread() {
        Registry.local.get().add("hello");
    }

    @Test
    public void other() {
        Registry.settings = new HashMap<>(Map.of("a", "1", "b", "2"));
    }

    @Test
    public void ownCopy() {
        Registry.deputy = new Registry.User("deputy", Registry.boss);
    }

    @Test
    public void deep() {
        Registry.Node node = Registry.chain;
        for (int i = 0; i < 150; i++) {
            node = node.next;
        }
        node.value = -1;
    }

    @Test
    public void plenty() {
        for (int i = 0; i < 100_000; i++) {
            Registry.many.add(new Object[] {i});
        }
    }
}
