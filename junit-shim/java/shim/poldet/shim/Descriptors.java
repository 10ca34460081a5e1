package poldet.shim;

import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.junit.platform.engine.TestDescriptor;
import org.junit.platform.engine.UniqueId;

/**
 * Puts what the platform's engines have found into a given sequence, in which a test may stand more than once. A test that
 * runs again is a copy of its descriptor, whose id bears a mark.
 */
final class Descriptors {
    private static final String AGAIN = "~again-";

    private Descriptors() {
    }

    /** The id without the marks of tests that run again. */
    static String plain(String id) {
        int at = id.indexOf(AGAIN);
        if (at < 0) {
            return id;
        }
        int end = id.indexOf(']', at);
        return id.substring(0, at) + (end < 0 ? "" : plain(id.substring(end)));
    }

    /** Is one of these ids that of the descriptor, or of something inside it? */
    static boolean holds(String id, String[] ids) {
        for (String other : ids) {
            if (isIn(other, id)) {
                return true;
            }
        }
        return false;
    }

    static List<String> inside(String id, String[] ids) {
        List<String> inside = new ArrayList<String>();
        for (String other : ids) {
            if (isIn(other, id)) {
                inside.add(other);
            }
        }
        return inside;
    }

    static boolean isIn(String id, String container) {
        return id.startsWith(container) && (id.length() == container.length() || id.charAt(container.length()) == '/');
    }

    /** Right below its engine? */
    static boolean isTop(TestDescriptor descriptor) {
        TestDescriptor parent = descriptor.getParent().orElse(null);
        return parent != null && !parent.getParent().isPresent();
    }

    /** One of an older JUnit's, which sequences are not given to? */
    static boolean isVintage(TestDescriptor descriptor) {
        return descriptor.getUniqueId().toString().startsWith("[engine:junit-vintage]");
    }

    /** Tests of one child that run together. */
    private static final class Group {
        final TestDescriptor child;
        final List<String> ids = new ArrayList<String>();

        Group(TestDescriptor child) {
            this.child = child;
        }
    }

    /** Leaves these tests inside the container, in this order. */
    static void arrange(TestDescriptor container, List<String> ids) throws Exception {
        String own = container.getUniqueId().toString();
        if (ids.size() == 1 && ids.get(0).equals(own)) {
            return;
        }
        if (container.getChildren().isEmpty()) {
            narrow(container, ids);
            return;
        }
        List<TestDescriptor> children = new ArrayList<TestDescriptor>(container.getChildren());
        List<Group> groups = groups(children, ids);
        List<TestDescriptor> arranged = new ArrayList<TestDescriptor>();
        for (int i = 0; i < groups.size(); i++) {
            TestDescriptor child = groups.get(i).child;
            boolean again = false;
            for (int j = 0; j < i; j++) {
                again |= groups.get(j).child == child;
            }
            arranged.add(again ? copy(child, container, i) : child);
        }
        for (TestDescriptor child : children) {
            container.removeChild(child);
        }
        for (int i = 0; i < groups.size(); i++) {
            TestDescriptor child = arranged.get(i);
            container.addChild(child);
            String old = groups.get(i).child.getUniqueId().toString();
            String id = child.getUniqueId().toString();
            List<String> inside = new ArrayList<String>();
            for (String each : groups.get(i).ids) {
                inside.add(id + each.substring(old.length()));
            }
            arrange(child, inside);
        }
    }

    private static List<Group> groups(List<TestDescriptor> children, List<String> ids) {
        List<Group> groups = new ArrayList<Group>();
        Group last = null;
        for (String id : ids) {
            TestDescriptor child = null;
            for (TestDescriptor each : children) {
                if (isIn(id, each.getUniqueId().toString())) {
                    child = each;
                }
            }
            if (child == null) {
                throw new IllegalArgumentException("no test " + id);
            }
            if (last == null || last.child != child || !goesOn(last, id)) {
                last = new Group(child);
                groups.add(last);
            }
            last.ids.add(id);
        }
        return groups;
    }

    /** Can this test run in the same run of the container as those before it? */
    private static boolean goesOn(Group group, String id) {
        String own = group.child.getUniqueId().toString();
        String before = group.ids.get(group.ids.size() - 1);
        if (id.equals(own) || before.equals(own)) {
            return false;
        }
        // The invocations of a template come in the order of their numbers, each once.
        return !group.child.getChildren().isEmpty() || compare(before.substring(own.length()), id.substring(own.length())) < 0;
    }

    /** By the numbers of invocations. */
    private static int compare(String a, String b) {
        String[] left = a.split("/");
        String[] right = b.split("/");
        for (int i = 0; i < left.length && i < right.length; i++) {
            int by = Integer.compare(number(left[i]), number(right[i]));
            if (by != 0) {
                return by;
            }
        }
        return Integer.compare(left.length, right.length);
    }

    private static int number(String segment) {
        int at = segment.lastIndexOf('#');
        try {
            return at < 0 ? 0 : Integer.parseInt(segment.substring(at + 1, segment.length() - 1));
        } catch (NumberFormatException other) {
            return 0;
        }
    }

    private static TestDescriptor copy(TestDescriptor original, TestDescriptor parent, int number) throws Exception {
        TestDescriptor copy = (TestDescriptor) Events.copy(original);
        List<UniqueId.Segment> segments = original.getUniqueId().getSegments();
        UniqueId.Segment segment = segments.get(segments.size() - 1);
        String mark = number < 0 ? "" : AGAIN + number;
        UniqueId id = parent.getUniqueId().append(segment.getType(), segment.getValue() + mark);
        Runners.field(copy, "uniqueId").set(copy, id);
        Runners.field(copy, "parent").set(copy, null);
        Set<TestDescriptor> children = new LinkedHashSet<TestDescriptor>();
        Runners.field(copy, "children").set(copy, children);
        Field filter = filterOf(copy);
        if (filter != null) {
            filter.set(copy, everything(filter.get(copy)));
        }
        for (TestDescriptor child : original.getChildren()) {
            copy.addChild(copy(child, copy, -1));
        }
        return copy;
    }

    /** Which invocations a template or factory of Jupiter runs. */
    private static Field filterOf(TestDescriptor descriptor) {
        for (Class<?> c = descriptor.getClass(); c != null; c = c.getSuperclass()) {
            for (Field field : c.getDeclaredFields()) {
                if (field.getType().getSimpleName().equals("DynamicDescendantFilter")) {
                    field.setAccessible(true);
                    return field;
                }
            }
        }
        return null;
    }

    private static Object everything(Object filter) throws Exception {
        Object fresh = fresh(filter);
        fresh.getClass().getMethod("allowAll").invoke(fresh);
        return fresh;
    }

    private static Object fresh(Object filter) throws Exception {
        Constructor<?> constructor = filter.getClass().getDeclaredConstructor();
        constructor.setAccessible(true);
        return constructor.newInstance();
    }

    /** Only these invocations are to run. */
    private static void narrow(TestDescriptor template, List<String> ids) throws Exception {
        Field field = filterOf(template);
        if (field == null) {
            throw new IllegalArgumentException("no invocations can be chosen of " + template.getUniqueId());
        }
        Object filter = fresh(field.get(template));
        Method allow = null;
        for (Method method : filter.getClass().getMethods()) {
            Class<?>[] types = method.getParameterTypes();
            if (method.getName().startsWith("allow") && types.length == 1 && types[0] == UniqueId.class) {
                allow = method;
            }
        }
        for (String id : ids) {
            allow.invoke(filter, UniqueId.parse(id));
        }
        field.set(template, filter);
    }
}
