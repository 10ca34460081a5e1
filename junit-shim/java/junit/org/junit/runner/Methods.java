package org.junit.runner;

import java.lang.annotation.Annotation;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import org.junit.After;
import org.junit.AfterClass;
import org.junit.AssumptionViolatedException;
import org.junit.Before;
import org.junit.BeforeClass;
import org.junit.Ignore;
import org.junit.Test;
import org.junit.runner.manipulation.Filter;
import org.junit.runner.manipulation.Filterable;
import org.junit.runner.manipulation.NoTestsRemainException;
import org.junit.runner.manipulation.Sortable;
import org.junit.runner.manipulation.Sorter;
import org.junit.runner.notification.Failure;
import org.junit.runner.notification.RunNotifier;

/** Runs a class's test methods, each on an instance of its own, between the class's fixtures. */
final class Methods extends Runner implements Filterable, Sortable {
    private final Class<?> type;
    private final List<Method> tests;
    private Iterator<String> handed;

    Methods(Class<?> type) throws Exception {
        this.type = type;
        tests = annotated(Test.class, false);
        if (tests.isEmpty()) {
            throw new Exception("No runnable methods");
        }
        for (Method test : tests) {
            if (!Modifier.isPublic(test.getModifiers()) || test.getParameterTypes().length > 0) {
                throw new Exception("Method " + test.getName() + "() should be public and have no parameters");
            }
        }
        Collections.sort(tests, new Comparator<Method>() {
            @Override
            public int compare(Method a, Method b) {
                // The order JUnit 4 uses, so that suites behave the same.
                int left = a.getName().hashCode();
                int right = b.getName().hashCode();
                return left != right ? Integer.compare(left, right) : a.toString().compareTo(b.toString());
            }
        });
    }

    /** Methods with an annotation, of superclasses first if asked; an overridden one is left out. */
    private List<Method> annotated(Class<? extends Annotation> mark, boolean superFirst) {
        List<Method> found = new ArrayList<Method>();
        for (Class<?> c = type; c != null; c = c.getSuperclass()) {
            List<Method> own = new ArrayList<Method>();
            for (Method method : c.getDeclaredMethods()) {
                if (method.isAnnotationPresent(mark) && !method.isBridge() && !shadowed(method, found)) {
                    method.setAccessible(true);
                    own.add(method);
                }
            }
            found.addAll(superFirst ? 0 : found.size(), own);
        }
        return found;
    }

    private static boolean shadowed(Method method, List<Method> found) {
        for (Method other : found) {
            if (other.getName().equals(method.getName())
                    && java.util.Arrays.equals(other.getParameterTypes(), method.getParameterTypes())) {
                return true;
            }
        }
        return false;
    }

    /** Runs these tests only, by their display names, in this order and as often as they stand there. */
    void arrange(List<String> names) {
        List<Method> arranged = new ArrayList<Method>();
        for (String name : names) {
            for (Method test : tests) {
                if (describe(test).getDisplayName().equals(name)) {
                    arranged.add(test);
                }
            }
        }
        tests.clear();
        tests.addAll(arranged);
    }

    /** Runs the tests that this gives, by their display names. */
    void hand(Iterator<String> names) {
        handed = names;
    }

    /** The names of ignored tests, unless all are. */
    String[] ignored() {
        List<String> names = new ArrayList<String>();
        for (Method test : tests) {
            if (test.isAnnotationPresent(Ignore.class)) {
                names.add(describe(test).getDisplayName());
            }
        }
        return names.size() == tests.size() ? new String[0] : names.toArray(new String[0]);
    }

    private Description describe(Method test) {
        return Description.createTestDescription(type, test.getName(), test.getAnnotations());
    }

    @Override
    public Description getDescription() {
        Description all = Description.createSuiteDescription(type);
        for (Method test : tests) {
            all.addChild(describe(test));
        }
        return all;
    }

    @Override
    public void filter(Filter filter) throws NoTestsRemainException {
        for (Method test : new ArrayList<Method>(tests)) {
            if (!filter.shouldRun(describe(test))) {
                tests.remove(test);
            }
        }
        if (tests.isEmpty()) {
            throw new NoTestsRemainException();
        }
    }

    @Override
    public void sort(final Sorter sorter) {
        Collections.sort(tests, new Comparator<Method>() {
            @Override
            public int compare(Method a, Method b) {
                return sorter.compare(describe(a), describe(b));
            }
        });
    }

    @Override
    public void run(RunNotifier notifier) {
        Description all = getDescription();
        boolean live = false;
        for (Method test : tests) {
            live |= !test.isAnnotationPresent(Ignore.class);
        }
        List<Throwable> problems = new ArrayList<Throwable>();
        if (live) {
            callAll(annotated(BeforeClass.class, true), null, problems, true);
        }
        if (problems.isEmpty()) {
            runTests(notifier);
        }
        if (live) {
            callAll(annotated(AfterClass.class, false), null, problems, false);
        }
        report(notifier, all, problems);
    }

    private void runTests(RunNotifier notifier) {
        if (handed == null) {
            for (Method test : tests) {
                runTest(test, notifier);
            }
            return;
        }
        while (handed.hasNext()) {
            String name = handed.next();
            for (Method test : tests) {
                if (describe(test).getDisplayName().equals(name)) {
                    runTest(test, notifier);
                }
            }
        }
    }

    private void runTest(Method test, RunNotifier notifier) {
        Description description = describe(test);
        if (test.isAnnotationPresent(Ignore.class)) {
            notifier.fireTestIgnored(description);
            return;
        }
        notifier.fireTestStarted(description);
        List<Throwable> problems = new ArrayList<Throwable>();
        try {
            Object instance = instance();
            callAll(annotated(Before.class, true), instance, problems, true);
            if (problems.isEmpty()) {
                callTest(test, instance, problems);
            }
            callAll(annotated(After.class, false), instance, problems, false);
        } catch (Throwable problem) {
            problems.add(problem);
        }
        report(notifier, description, problems);
        notifier.fireTestFinished(description);
    }

    private Object instance() throws Throwable {
        try {
            return type.getConstructor().newInstance();
        } catch (InvocationTargetException thrown) {
            throw thrown.getCause();
        }
    }

    private static void report(RunNotifier notifier, Description description, List<Throwable> problems) {
        for (Throwable problem : problems) {
            Failure failure = new Failure(description, problem);
            if (problem instanceof AssumptionViolatedException) {
                notifier.fireTestAssumptionFailed(failure);
            } else {
                notifier.fireTestFailure(failure);
            }
        }
    }

    private static void callAll(List<Method> methods, Object instance, List<Throwable> problems, boolean stop) {
        for (Method method : methods) {
            Throwable problem = call(method, instance);
            if (problem != null) {
                problems.add(problem);
                if (stop) {
                    return;
                }
            }
        }
    }

    private static Throwable call(Method method, Object instance) {
        try {
            method.invoke(instance);
            return null;
        } catch (InvocationTargetException thrown) {
            return thrown.getCause();
        } catch (Throwable problem) {
            return problem;
        }
    }

    private static void callTest(Method test, Object instance, List<Throwable> problems) {
        Test mark = test.getAnnotation(Test.class);
        Throwable thrown = mark.timeout() > 0
                ? callFor(mark.timeout(), mark.expected(), test, instance)
                : callExpecting(mark.expected(), test, instance);
        boolean expects = mark.expected() != Test.None.class;
        if (expects && thrown == null) {
            problems.add(new AssertionError("Expected exception: " + mark.expected().getName()));
        } else if (expects && !mark.expected().isInstance(thrown)
                && !(thrown instanceof AssumptionViolatedException)) {
            problems.add(new Exception("Unexpected exception, expected<" + mark.expected().getName()
                    + "> but was<" + thrown.getClass().getName() + ">", thrown));
        } else if (thrown != null && !(expects && mark.expected().isInstance(thrown))) {
            problems.add(thrown);
        }
    }

    /** Calls a test that may throw what it expects; the parameter says what that is to whoever looks at the frame. */
    private static Throwable callExpecting(Class<? extends Throwable> expected, Method test, Object instance) {
        try {
            test.invoke(instance);
            return null;
        } catch (InvocationTargetException thrown) {
            return thrown.getCause();
        } catch (Throwable problem) {
            return problem;
        }
    }

    private static Throwable callFor(long millis, final Class<? extends Throwable> expected, final Method test,
            final Object instance) {
        final Throwable[] thrown = new Throwable[1];
        Thread thread = new Thread("Time-limited test") {
            @Override
            public void run() {
                thrown[0] = callExpecting(expected, test, instance);
            }
        };
        thread.setDaemon(true);
        thread.start();
        try {
            thread.join(millis);
        } catch (InterruptedException interrupted) {
            return interrupted;
        }
        if (thread.isAlive()) {
            Exception late = new Exception("test timed out after " + millis + " milliseconds");
            late.setStackTrace(thread.getStackTrace());
            thread.interrupt();
            return late;
        }
        return thrown[0];
    }
}
