package poldet.shim;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.Enumeration;
import junit.framework.AssertionFailedError;
import junit.framework.Test;
import junit.framework.TestListener;
import junit.framework.TestResult;
import junit.framework.TestSuite;

/** Runs JUnit 3 tests where there is no JUnit 4. */
final class JUnit3 extends Driver {
    @Override
    void run(String[] classNames) {
        for (String name : classNames) {
            Events.classStarted(name);
            Class<?> type = Main.load(name);
            if (type != null) {
                run(type);
            }
            Events.classFinished(name);
        }
    }

    /** The `public static Test suite()` of a class, or null. */
    static Method suiteMethod(Class<?> type) {
        try {
            Method method = type.getMethod("suite");
            boolean fits = Modifier.isStatic(method.getModifiers())
                    && Test.class.isAssignableFrom(method.getReturnType());
            return fits ? method : null;
        } catch (NoSuchMethodException none) {
            return null;
        }
    }

    private static void run(Class<?> type) {
        try {
            if (Modifier.isAbstract(type.getModifiers())) {
                return;
            }
            Test test;
            Method suite = suiteMethod(type);
            if (suite != null) {
                test = (Test) suite.invoke(null);
            } else if (Test.class.isAssignableFrom(type)) {
                test = new TestSuite(type);
            } else {
                return;
            }
            Listener listener = new Listener(type.getName());
            // Before the question for the tests that are to run: processes that answer it differently share this.
            Test handed = Events.sequenced() && !Events.listing() ? Cases.handed(test) : null;
            int sequence = Events.listing() ? Events.NO_SEQUENCE : Events.sequence();
            if (sequence == Events.ONE_BY_ONE) {
                test = handed;
            } else if (sequence != Events.NO_SEQUENCE) {
                test = Cases.arrange(test, Arrays.asList(Events.rest()));
            } else if (Events.filtering()) {
                test = pick(test, type.getName());
            }
            if (Events.listing()) {
                list(type.getName(), test);
                return;
            }
            Events.planned(test.countTestCases());
            TestResult result = new TestResult();
            result.addListener(listener);
            test.run(result);
            Events.dropRest();
        } catch (InvocationTargetException thrown) {
            Problems.ofClass(type.getName(), thrown.getCause());
        } catch (Throwable problem) {
            Problems.ofClass(type.getName(), problem);
        }
    }

    private static void list(String root, Test test) {
        if (test instanceof TestSuite) {
            for (Enumeration<?> tests = ((TestSuite) test).tests(); tests.hasMoreElements();) {
                list(root, (Test) tests.nextElement());
            }
        } else {
            Events.listed(root, test.toString(), null, null, null, test.toString(), false);
        }
    }

    private static Test pick(Test test, String root) {
        if (!(test instanceof TestSuite)) {
            return test;
        }
        TestSuite picked = new TestSuite();
        for (Enumeration<?> tests = ((TestSuite) test).tests(); tests.hasMoreElements();) {
            Test child = (Test) tests.nextElement();
            if (child instanceof TestSuite) {
                picked.addTest(pick(child, root));
            } else if (Events.wanted(root, child.toString(), null, null, null)) {
                picked.addTest(child);
            }
        }
        return picked;
    }

    private static final class Listener implements TestListener {
        private final String root;

        Listener(String root) {
            this.root = root;
        }

        @Override
        public void startTest(Test test) {
            String name = test.toString();
            Events.started(root, name, null, null, null, name);
        }

        @Override
        public void endTest(Test test) {
            Events.finished(root, test.toString());
        }

        @Override
        public void addError(Test test, Throwable problem) {
            String name = test.toString();
            Problems.report(root, name, null, null, null, name, problem, false);
        }

        @Override
        public void addFailure(Test test, AssertionFailedError problem) {
            addError(test, problem);
        }
    }
}
