package poldet.shim;

import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import junit.framework.Test;
import org.junit.runner.Description;

/** Puts the tests of a JUnit 4 runner into a given sequence, in which a test may stand more than once. */
final class Runners {
    /** Runners that hand their work to another one, and that one to another. */
    private static final int MOST_DELEGATES = 4;

    private Runners() {
    }

    /** Whether the runner will run these tests, by their display names, in this order; if not, it is as it was. */
    static boolean arrange(Object runner, List<String> names) {
        try {
            return arrange(runner, names, MOST_DELEGATES);
        } catch (Exception other) {
            return false;
        }
    }

    private static boolean arrange(Object runner, List<String> names, int delegates) throws Exception {
        for (Class<?> c = runner.getClass(); c != null; c = c.getSuperclass()) {
            if (c.getName().equals("org.junit.runners.ParentRunner")) {
                return arrangeChildren(c, runner, names);
            } else if (c.getName().equals("org.junit.internal.runners.JUnit38ClassRunner")) {
                return arrangeCases(c, runner, names);
            } else if (c.getName().equals("org.junit.runner.Methods")) {
                method(c, "arrange", List.class).invoke(runner, names);
                return true;
            } else if (c.getName().equals("org.junit.runner.Cases")) {
                Test given = (Test) method(c, "given").invoke(runner);
                method(c, "replace", Test.class).invoke(runner, Cases.arrange(given, names));
                return true;
            }
        }
        return delegates > 0 && arrangeDelegate(runner, names, delegates);
    }

    private static boolean arrangeDelegate(Object runner, List<String> names, int delegates) throws Exception {
        for (Class<?> c = runner.getClass(); c != null; c = c.getSuperclass()) {
            for (Field field : c.getDeclaredFields()) {
                if (Modifier.isStatic(field.getModifiers()) || field.getType().isPrimitive()) {
                    continue;
                }
                field.setAccessible(true);
                Object value = field.get(runner);
                if (value != null && value.getClass().getName().contains("Runner")
                        && arrange(value, names, delegates - 1)) {
                    return true;
                }
            }
        }
        return false;
    }

    private static boolean arrangeCases(Class<?> type, Object runner, List<String> names) throws Exception {
        for (Field field : type.getDeclaredFields()) {
            if (field.getType() == Test.class) {
                field.setAccessible(true);
                field.set(runner, Cases.arrange((Test) field.get(runner), names));
                return true;
            }
        }
        return false;
    }

    private static boolean arrangeChildren(Class<?> type, Object runner, List<String> names) throws Exception {
        Field field = childrenField(type);
        Collection<?> children = (Collection<?>) method(type, "getFilteredChildren").invoke(runner);
        Method describe = method(type, "describeChild", Object.class);
        Map<String, Object> owners = new HashMap<String, Object>();
        for (Object child : children) {
            addNames((Description) describe.invoke(runner, child), child, owners);
        }
        List<Object> arranged = new ArrayList<Object>();
        List<List<String>> inside = new ArrayList<List<String>>();
        Object last = null;
        for (String name : names) {
            Object child = owners.get(name);
            if (child == null) {
                return false;
            }
            boolean single = ((Description) describe.invoke(runner, child)).isTest();
            if (single || child != last) {
                boolean again = !single && arranged.contains(child);
                arranged.add(again ? Events.copy(child) : child);
                inside.add(single ? null : new ArrayList<String>());
            }
            if (!single) {
                inside.get(inside.size() - 1).add(name);
            }
            last = single ? null : child;
        }
        for (int i = 0; i < arranged.size(); i++) {
            // A copy shares what it hands its work to with its original, which has another sequence.
            boolean copy = !children.contains(arranged.get(i));
            if (inside.get(i) != null && !arrange(arranged.get(i), inside.get(i), copy ? 0 : MOST_DELEGATES)) {
                return false;
            }
        }
        field.set(runner, Collections.unmodifiableList(arranged));
        return true;
    }

    private static void addNames(Description description, Object child, Map<String, Object> owners) {
        if (description.isTest() && !owners.containsKey(description.getDisplayName())) {
            owners.put(description.getDisplayName(), child);
        }
        for (Description inner : description.getChildren()) {
            addNames(inner, child, owners);
        }
    }

    /** Its name has changed between releases. */
    private static Field childrenField(Class<?> type) throws NoSuchFieldException {
        for (Field field : type.getDeclaredFields()) {
            if (field.getName().toLowerCase(java.util.Locale.ROOT).endsWith("filteredchildren")) {
                field.setAccessible(true);
                return field;
            }
        }
        throw new NoSuchFieldException("filteredChildren");
    }

    private static Method method(Class<?> type, String name, Class<?>... parameters) throws Exception {
        Method method = type.getDeclaredMethod(name, parameters);
        method.setAccessible(true);
        return method;
    }

    /** A field of the object's class or one above it. */
    static Field field(Object object, String name) throws NoSuchFieldException {
        for (Class<?> c = object.getClass(); c != null; c = c.getSuperclass()) {
            try {
                Field field = c.getDeclaredField(name);
                field.setAccessible(true);
                return field;
            } catch (NoSuchFieldException above) {
                continue;
            }
        }
        throw new NoSuchFieldException(name);
    }
}
