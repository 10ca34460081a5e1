package poldet.shim;

import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.List;
import org.junit.platform.engine.TestDescriptor;
import org.junit.platform.engine.support.hierarchical.HierarchicalTestExecutorService.TestTask;

/**
 * Hands out the tests of the platform's hierarchical engines one by one, as the step's sequence has them. A container asks for
 * the next test when its fixtures have run, so that nothing before that depends on what is asked for.
 */
public final class Hands {
    private static final String PLACE = "org.junit.platform.engine.support.hierarchical.";

    private Hands() {
    }

    /** What is known of the platform's tasks; null where they cannot be handed out. */
    private static final class Task {
        static final Class<?> NODE = load("Node");
        static final Field DESCRIPTOR = field("testDescriptor");
        static final Field CONTEXT = field("parentContext");
        /** Of later releases only. */
        static final Field STARTED = field("started");
        static final boolean KNOWN = NODE != null && DESCRIPTOR != null && CONTEXT != null && isOurs();

        private static Class<?> load(String name) {
            try {
                return Class.forName(PLACE + name, false, Main.loader());
            } catch (ClassNotFoundException none) {
                return null;
            } catch (LinkageError other) {
                return null;
            }
        }

        private static Field field(String name) {
            try {
                Field field = load("NodeTestTask").getDeclaredField(name);
                field.setAccessible(true);
                return field;
            } catch (NoSuchFieldException other) {
                return null;
            } catch (NullPointerException none) {
                return null;
            }
        }

        private static boolean isOurs() {
            try {
                load("SameThreadHierarchicalTestExecutorService").getDeclaredField("HANDS");
                return true;
            } catch (NoSuchFieldException other) {
                return false;
            } catch (NullPointerException none) {
                return false;
            }
        }
    }

    /** Does what is done once, before the first fork. */
    static void prepare() {
        can(null);
    }

    /** Whether what is inside this descriptor, which is right below its engine, asks for its tests. */
    static boolean can(TestDescriptor top) {
        return Task.KNOWN && Task.NODE.isInstance(top);
    }

    /** A single task: an engine, or what a running test has made. */
    public static void submit(TestTask task) {
        if (!Events.handing()) {
            task.execute();
            return;
        }
        TestDescriptor descriptor = descriptor(task);
        String id = descriptor.getUniqueId().toString();
        if (!descriptor.getParent().isPresent() || Events.within(id)) {
            task.execute();
            return;
        }
        String next = Events.following();
        if (next != null && Descriptors.isIn(next, id)) {
            run(task, descriptor, id, next);
        }
    }

    /** The tasks of a container whose fixtures have run. */
    public static void invokeAll(List<? extends TestTask> tasks) {
        if (tasks.isEmpty()) {
            return;
        }
        List<TestDescriptor> descriptors = new ArrayList<TestDescriptor>();
        List<String> ids = new ArrayList<String>();
        boolean handing = Events.handing();
        for (int i = 0; handing && i < tasks.size(); i++) {
            descriptors.add(descriptor(tasks.get(i)));
            ids.add(descriptors.get(i).getUniqueId().toString());
        }
        if (!handing || Events.within(ids.get(0))) {
            for (TestTask task : tasks) {
                task.execute();
            }
            return;
        }
        if (tasks.size() == 1 && Descriptors.isTop(descriptors.get(0))) {
            // The only class: its fixtures run for whichever of its tests.
            tasks.get(0).execute();
            return;
        }
        for (String next = Events.following(); next != null; next = Events.following()) {
            int at = holder(ids, next);
            if (at < 0) {
                return;
            }
            run(tasks.get(at), descriptors.get(at), ids.get(at), next);
        }
    }

    private static int holder(List<String> ids, String next) {
        for (int i = 0; i < ids.size(); i++) {
            if (Descriptors.isIn(next, ids.get(i))) {
                return i;
            }
        }
        return -1;
    }

    /** Runs a test, or a container with what is next inside of it; afterwards it can run again. */
    private static void run(TestTask task, TestDescriptor descriptor, String id, String next) {
        List<TestDescriptor> children = new ArrayList<TestDescriptor>(descriptor.getChildren());
        Object context = get(Task.CONTEXT, task);
        int before = Events.handedOut();
        if (id.equals(next)) {
            Events.taken();
            task.execute();
            Events.returned();
        } else {
            task.execute();
            if (Events.handedOut() == before) {
                // Its fixtures have failed: what was to run inside does not.
                for (String left = next; left != null && Descriptors.isIn(left, id); left = Events.following()) {
                    Events.dropped();
                }
            }
        }
        set(Task.CONTEXT, task, context);
        if (Task.STARTED != null) {
            set(Task.STARTED, task, false);
        }
        for (TestDescriptor child : new ArrayList<TestDescriptor>(descriptor.getChildren())) {
            // What the run has made is made again.
            if (!children.contains(child)) {
                descriptor.removeChild(child);
            }
        }
    }

    private static TestDescriptor descriptor(TestTask task) {
        return (TestDescriptor) get(Task.DESCRIPTOR, task);
    }

    private static Object get(Field field, Object object) {
        try {
            return field.get(object);
        } catch (IllegalAccessException other) {
            throw new IllegalStateException(other);
        }
    }

    private static void set(Field field, Object object, Object value) {
        try {
            field.set(object, value);
        } catch (IllegalAccessException other) {
            throw new IllegalStateException(other);
        }
    }
}
