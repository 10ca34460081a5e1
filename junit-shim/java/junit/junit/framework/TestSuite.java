package junit.framework;

import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;

/** Tests that run one after the other. */
public class TestSuite implements Test {
    private final List<Test> tests = new ArrayList<Test>();
    private String name;

    public TestSuite() {
    }

    public TestSuite(String name) {
        this.name = name;
    }

    public TestSuite(Class<?> type) {
        name = type.getName();
        List<String> names = new ArrayList<String>();
        for (Class<?> c = type; Test.class.isAssignableFrom(c); c = c.getSuperclass()) {
            for (Method method : c.getDeclaredMethods()) {
                boolean test = method.getName().startsWith("test") && method.getParameterTypes().length == 0
                        && method.getReturnType() == void.class && Modifier.isPublic(method.getModifiers());
                if (test && !names.contains(method.getName())) {
                    names.add(method.getName());
                    tests.add(createTest(type, method.getName()));
                }
            }
        }
        if (tests.isEmpty()) {
            tests.add(warning("No tests found in " + type.getName()));
        }
    }

    /** A test of a class by its method. */
    public static Test createTest(Class<?> type, String method) {
        try {
            try {
                Constructor<?> named = type.getConstructor(String.class);
                Test test = (Test) named.newInstance(method);
                if (test instanceof TestCase) {
                    ((TestCase) test).setName(method);
                }
                return test;
            } catch (NoSuchMethodException none) {
                TestCase test = (TestCase) type.getConstructor().newInstance();
                test.setName(method);
                return test;
            }
        } catch (InvocationTargetException thrown) {
            return warning("Exception in constructor: " + method + " (" + thrown.getCause() + ")");
        } catch (Exception problem) {
            return warning("Cannot make " + type.getName() + ": " + problem);
        }
    }

    public static Test warning(final String message) {
        return new TestCase("warning") {
            @Override
            protected void runTest() {
                fail(message);
            }
        };
    }

    public void addTest(Test test) {
        tests.add(test);
    }

    public void addTestSuite(Class<? extends TestCase> type) {
        tests.add(new TestSuite(type));
    }

    public Enumeration<Test> tests() {
        return Collections.enumeration(tests);
    }

    public String getName() {
        return name;
    }

    @Override
    public int countTestCases() {
        int count = 0;
        for (Test test : tests) {
            count += test.countTestCases();
        }
        return count;
    }

    @Override
    public void run(TestResult result) {
        for (Test test : tests) {
            test.run(result);
        }
    }
}
