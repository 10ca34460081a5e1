package poldet.shim;

import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.Iterator;
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
                return replaceCases(c, runner, names);
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

    /** Whether the runner will ask for its tests one by one; if not, it is not to be used. */
    static boolean hand(Object runner) {
        try {
            return hand(runner, MOST_DELEGATES);
        } catch (Exception other) {
            return false;
        } catch (LinkageError old) {
            return false;
        }
    }

    static boolean hand(Object runner, int delegates) throws Exception {
        for (Class<?> c = runner.getClass(); c != null; c = c.getSuperclass()) {
            if (c.getName().equals("org.junit.runners.ParentRunner")) {
                return Children.hand(c, runner, delegates);
            } else if (c.getName().equals("org.junit.internal.runners.JUnit38ClassRunner")) {
                return replaceCases(c, runner, null);
            } else if (c.getName().equals("org.junit.runner.Methods")) {
                method(c, "hand", Iterator.class).invoke(runner, new Following());
                return true;
            } else if (c.getName().equals("org.junit.runner.Cases")) {
                Test given = (Test) method(c, "given").invoke(runner);
                method(c, "replace", Test.class).invoke(runner, Cases.handed(given));
                return true;
            }
        }
        for (Object delegate : delegates > 0 ? delegates(runner) : new ArrayList<Object>()) {
            if (hand(delegate, delegates - 1)) {
                return true;
            }
        }
        return false;
    }

    /** The tests that the runner knows to be ignored, if there are others, too: class fixtures do not run for these alone. */
    static String[] ignored(Object runner) {
        try {
            return ignored(runner, MOST_DELEGATES);
        } catch (Exception other) {
            return new String[0];
        } catch (LinkageError old) {
            return new String[0];
        }
    }

    private static String[] ignored(Object runner, int delegates) throws Exception {
        List<String> names = new ArrayList<String>();
        for (Class<?> c = runner.getClass(); c != null; c = c.getSuperclass()) {
            if (c.getName().equals("org.junit.runner.Methods")) {
                return (String[]) method(c, "ignored").invoke(runner);
            } else if (c.getName().equals("org.junit.runners.ParentRunner")) {
                Collection<?> children = (Collection<?>) method(c, "getFilteredChildren").invoke(runner);
                for (Object child : children) {
                    if ((Boolean) method(c, "isIgnored", Object.class).invoke(runner, child)) {
                        Description description =
                                (Description) method(c, "describeChild", Object.class).invoke(runner, child);
                        names.add(description.getDisplayName());
                    }
                }
                return names.size() == children.size() ? new String[0] : names.toArray(new String[0]);
            }
        }
        for (Object delegate : delegates > 0 ? delegates(runner) : names) {
            String[] inside = ignored(delegate, delegates - 1);
            if (inside.length > 0) {
                return inside;
            }
        }
        return new String[0];
    }

    /** Gives the tests that are asked for, one by one. */
    private static final class Following implements Iterator<String> {
        @Override
        public boolean hasNext() {
            return Events.following() != null;
        }

        @Override
        public String next() {
            String next = Events.following();
            Events.taken();
            return next;
        }

        @Override
        public void remove() {
            throw new UnsupportedOperationException();
        }
    }

    /** Runners that a runner may hand its work to. */
    private static List<Object> delegates(Object runner) throws Exception {
        List<Object> found = new ArrayList<Object>();
        for (Class<?> c = runner.getClass(); c != null; c = c.getSuperclass()) {
            for (Field field : c.getDeclaredFields()) {
                if (Modifier.isStatic(field.getModifiers()) || field.getType().isPrimitive()) {
                    continue;
                }
                field.setAccessible(true);
                Object value = field.get(runner);
                if (value != null && value.getClass().getName().contains("Runner")) {
                    found.add(value);
                }
            }
        }
        return found;
    }

    private static boolean arrangeDelegate(Object runner, List<String> names, int delegates) throws Exception {
        for (Object delegate : delegates(runner)) {
            if (arrange(delegate, names, delegates - 1)) {
                return true;
            }
        }
        return false;
    }

    /** Gives a JUnit 3 runner these tests, or those that are asked for one by one. */
    private static boolean replaceCases(Class<?> type, Object runner, List<String> names) throws Exception {
        for (Field field : type.getDeclaredFields()) {
            if (field.getType() == Test.class) {
                field.setAccessible(true);
                Test given = (Test) field.get(runner);
                field.set(runner, names == null ? Cases.handed(given) : Cases.arrange(given, names));
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

    static Method method(Class<?> type, String name, Class<?>... parameters) throws Exception {
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
