// The user's preferences as the JDK keeps them: nodes, keys in order, events, removal; nothing is left in the user's home.
// skip-stderr
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.prefs.NodeChangeEvent;
import java.util.prefs.NodeChangeListener;
import java.util.prefs.Preferences;

public class Preferences1 {
    interface Action {
        Object run() throws Exception;
    }

    static void show(String what, Action action) {
        try {
            System.out.println(what + " " + action.run());
        } catch (Exception e) {
            System.out.println(what + " threw " + e.getClass().getName() + ": " + e.getMessage());
        }
    }

    public static void main(String[] args) throws Exception {
        Path folder = Files.createTempDirectory("prefs");
        System.setProperty("java.util.prefs.userRoot", folder.toString());
        Preferences root = Preferences.userRoot();
        Preferences node = Preferences.userNodeForPackage(Thread.class);
        LinkedBlockingQueue<String> events = new LinkedBlockingQueue<>();
        node.addPreferenceChangeListener(e -> events.add(e.getKey() + "=" + e.getNewValue()));
        node.addNodeChangeListener(new NodeChangeListener() {
            @Override
            public void childAdded(NodeChangeEvent e) {
                events.add("added " + e.getChild().absolutePath());
            }

            @Override
            public void childRemoved(NodeChangeEvent e) {
                events.add("removed " + e.getChild().absolutePath());
            }
        });
        System.out.println(root + " " + node + " " + node.isUserNode() + " " + root.name().isEmpty());
        node.put("b", "two");
        node.putInt("a", 1);
        node.putByteArray("c", new byte[] {1, 2});
        System.out.println(Arrays.toString(node.keys()) + node.get("b", "-") + node.getInt("a", 0) + node.get("z", "-"));
        Preferences child = node.node("inner/most");
        child.put("k", "v");
        child.flush();
        root.sync();
        System.out.println(root.nodeExists("/java/lang/inner") + " " + Arrays.toString(node.childrenNames()));
        node.remove("b");
        node.node("inner").removeNode();
        System.out.println(root.nodeExists("/java/lang/inner") + " " + node.nodeExists("inner/most"));
        show("put after removal", () -> {
            child.put("k", "w");
            return "";
        });
        show("flush after removal", () -> {
            child.flush();
            return "nothing";
        });
        show("sync after removal", () -> {
            child.sync();
            return "nothing";
        });
        show("again", () -> node.node("inner/most").get("k", "empty"));
        show("same", () -> node.node("inner") == root.node("/java/lang/inner"));
        node.clear();
        System.out.println(Arrays.toString(node.keys()));
        for (int i = 0; i < 8; i++) {
            System.out.println(events.take());
        }
        root.node("/java").removeNode();
        root.flush();
        System.out.println(Arrays.toString(root.childrenNames()));
        System.exit(0);
    }
}
