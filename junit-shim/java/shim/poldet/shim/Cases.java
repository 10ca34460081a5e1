package poldet.shim;

import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Enumeration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import junit.framework.Test;
import junit.framework.TestResult;
import junit.framework.TestSuite;

/** Puts JUnit 3 tests into a given sequence, in which a test may stand more than once. */
final class Cases {
    private Cases() {
    }

    /** A suite of these tests, by their names, in this order. */
    static Test arrange(Test given, List<String> names) throws Exception {
        List<Test> leaves = new ArrayList<Test>();
        flatten(given, leaves);
        TestSuite arranged = new TestSuite();
        List<Test> used = new ArrayList<Test>();
        for (String name : names) {
            Test test = find(leaves, name);
            if (test == null) {
                throw new IllegalArgumentException("no test " + name);
            }
            arranged.addTest(pick(test, name, used));
        }
        return arranged;
    }

    /** Runs the tests that are asked for, one by one. */
    static Test handed(Test given) {
        List<Test> leaves = new ArrayList<Test>();
        flatten(given, leaves);
        return new Handed(leaves);
    }

    private static final class Handed implements Test {
        private final List<Test> leaves;
        private final List<Test> used = new ArrayList<Test>();
        /** The first test of each name. */
        private final Map<String, Test> byName = new HashMap<String, Test>();

        Handed(List<Test> leaves) {
            this.leaves = leaves;
            try {
                for (Test leaf : leaves) {
                    addNames(leaf, leaf, byName);
                }
            } catch (Exception other) {
                byName.clear();
            }
        }

        @Override
        public int countTestCases() {
            return leaves.size();
        }

        @Override
        public void run(TestResult result) {
            for (String next = Events.following(); next != null; next = Events.following()) {
                Test test = next(next);
                if (test == null) {
                    Events.dropped();
                } else {
                    Events.taken();
                    test.run(result);
                }
            }
        }

        private Test next(String name) {
            try {
                Test test = byName.get(name);
                if (test == null || decorated(test) == null && !name.equals(test.toString())) {
                    test = find(leaves, name);
                }
                return test == null ? null : pick(test, name, used);
            } catch (Exception other) {
                return null;
            }
        }
    }

    private static void addNames(Test test, Test leaf, Map<String, Test> byName) throws Exception {
        Test inner = decorated(test);
        if (inner == null) {
            String name = test.toString();
            if (!byName.containsKey(name)) {
                byName.put(name, leaf);
            }
            return;
        }
        List<Test> leaves = new ArrayList<Test>();
        flatten(inner, leaves);
        for (Test each : leaves) {
            addNames(each, leaf, byName);
        }
    }

    private static void flatten(Test test, List<Test> leaves) {
        if (!(test instanceof TestSuite)) {
            leaves.add(test);
            return;
        }
        for (Enumeration<?> tests = ((TestSuite) test).tests(); tests.hasMoreElements();) {
            flatten((Test) tests.nextElement(), leaves);
        }
    }

    private static Test find(List<Test> leaves, String name) throws Exception {
        for (Test leaf : leaves) {
            Test inner = decorated(leaf);
            if (inner == null ? leaf.toString().equals(name) : holds(inner, name)) {
                return leaf;
            }
        }
        return null;
    }

    private static boolean holds(Test test, String name) throws Exception {
        List<Test> leaves = new ArrayList<Test>();
        flatten(test, leaves);
        return find(leaves, name) != null;
    }

    /** What a decorator adds its fixture to; null for any other test. */
    private static Test decorated(Test test) throws Exception {
        for (Class<?> c = test.getClass(); c != null; c = c.getSuperclass()) {
            if (c.getName().equals("junit.extensions.TestDecorator")) {
                return (Test) Runners.field(test, "fTest").get(test);
            }
        }
        return null;
    }

    /** The test itself the first time, a new one of its kind when it runs again. */
    private static Test pick(Test test, String name, List<Test> used) throws Exception {
        Test inner = decorated(test);
        if (inner != null) {
            List<String> only = new ArrayList<String>();
            only.add(name);
            Test copy = (Test) Events.copy(test);
            Field field = Runners.field(copy, "fTest");
            field.set(copy, arrange(inner, only));
            return copy;
        }
        if (!used.contains(test)) {
            used.add(test);
            return test;
        }
        try {
            Method method = test.getClass().getMethod("getName");
            return TestSuite.createTest(test.getClass().asSubclass(junit.framework.TestCase.class),
                    (String) method.invoke(test));
        } catch (NoSuchMethodException other) {
            return test;
        } catch (ClassCastException other) {
            return test;
        }
    }
}
