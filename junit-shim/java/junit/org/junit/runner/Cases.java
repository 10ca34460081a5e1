package org.junit.runner;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import junit.framework.AssertionFailedError;
import junit.framework.Test;
import junit.framework.TestListener;
import junit.framework.TestResult;
import junit.framework.TestSuite;
import org.junit.runner.manipulation.Filter;
import org.junit.runner.manipulation.Filterable;
import org.junit.runner.manipulation.NoTestsRemainException;
import org.junit.runner.notification.Failure;
import org.junit.runner.notification.RunNotifier;

/** Runs the tests of a JUnit 3 class or of what its `suite()` gives. */
final class Cases extends Runner implements Filterable {
    private final Class<?> type;
    private final List<Test> tests = new ArrayList<Test>();
    private final Test given;

    Cases(Class<?> type) throws Exception {
        this.type = type;
        Method suite = suiteOf(type);
        given = suite == null ? new TestSuite(type) : (Test) suite.invoke(null);
        add(given);
    }

    static Method suiteOf(Class<?> type) {
        try {
            Method method = type.getMethod("suite");
            boolean fits = Modifier.isStatic(method.getModifiers())
                    && Test.class.isAssignableFrom(method.getReturnType());
            return fits ? method : null;
        } catch (NoSuchMethodException none) {
            return null;
        }
    }

    private void add(Test test) {
        if (test instanceof TestSuite) {
            for (Test child : Collections.list(((TestSuite) test).tests())) {
                add(child);
            }
        } else {
            tests.add(test);
        }
    }

    /** What is run, before anything was picked from it. */
    Test given() {
        return given;
    }

    /** Runs this instead. */
    void replace(Test test) {
        tests.clear();
        add(test);
    }

    private static Description describe(Test test) {
        String name = test.toString();
        int open = name.lastIndexOf('(');
        return open > 0 && name.endsWith(")")
                ? Description.createTestDescription(name.substring(open + 1, name.length() - 1),
                        name.substring(0, open))
                : Description.createTestDescription(test.getClass(), name);
    }

    @Override
    public Description getDescription() {
        Description all = Description.createSuiteDescription(type);
        for (Test test : tests) {
            all.addChild(describe(test));
        }
        return all;
    }

    @Override
    public void filter(Filter filter) throws NoTestsRemainException {
        for (Test test : new ArrayList<Test>(tests)) {
            if (!filter.shouldRun(describe(test))) {
                tests.remove(test);
            }
        }
        if (tests.isEmpty()) {
            throw new NoTestsRemainException();
        }
    }

    @Override
    public void run(final RunNotifier notifier) {
        TestResult result = new TestResult();
        result.addListener(new TestListener() {
            @Override
            public void startTest(Test test) {
                notifier.fireTestStarted(describe(test));
            }

            @Override
            public void endTest(Test test) {
                notifier.fireTestFinished(describe(test));
            }

            @Override
            public void addError(Test test, Throwable problem) {
                notifier.fireTestFailure(new Failure(describe(test), problem));
            }

            @Override
            public void addFailure(Test test, AssertionFailedError problem) {
                addError(test, problem);
            }
        });
        for (Test test : tests) {
            test.run(result);
        }
    }
}
