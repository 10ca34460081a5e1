package poldet.shim;

import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.Comparator;
import org.junit.Ignore;
import org.junit.Test;
import org.junit.runner.Description;
import org.junit.runner.Request;
import org.junit.runner.Result;
import org.junit.runner.RunWith;
import org.junit.runner.Runner;
import org.junit.runner.manipulation.Filter;
import org.junit.runner.manipulation.NoTestsRemainException;
import org.junit.runner.manipulation.Sorter;
import org.junit.runner.notification.Failure;
import org.junit.runner.notification.RunListener;
import org.junit.runner.notification.RunNotifier;

/** Runs JUnit 4 and, through it, JUnit 3 tests, class by class as Surefire does. */
final class JUnit4 extends Driver {
    private final RunNotifier notifier = new RunNotifier();
    private final Listener listener = new Listener();

    @Override
    void begin() {
        notifier.addListener(listener);
        notifier.fireTestRunStarted(Description.createSuiteDescription("poldet"));
    }

    @Override
    void end() {
        notifier.fireTestRunFinished(new Result());
    }

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

    private void run(Class<?> type) {
        listener.root = type.getName();
        try {
            if (!isTest(type)) {
                return;
            }
            Runner runner = Request.aClass(type).getRunner();
            if (Events.sequenced() && !Events.listing()) {
                runSequence(type, runner);
                return;
            }
            if (Events.filtering()) {
                new Wanted(type.getName()).apply(runner);
            }
            if (Events.ordering()) {
                new Sorter(new Order(type.getName())).apply(runner);
            }
            if (Events.listing()) {
                list(type.getName(), runner.getDescription());
                return;
            }
            Events.planned(runner.testCount());
            runner.run(notifier);
        } catch (NoTestsRemainException none) {
            return;
        } catch (Throwable problem) {
            Problems.ofClass(type.getName(), problem);
        }
    }

    /**
     * One run of the class; a runner that cannot be arranged runs once for each test. What takes all tests of the class comes before the
     * question for those that are to run: processes that answer it differently share it.
     */
    private void runSequence(Class<?> type, Runner runner) throws Exception {
        String[] ignored = Runners.ignored(runner);
        boolean handed = ignored.length == 0 && Runners.hand(runner);
        boolean oneByOne = Events.sequence() == Events.ONE_BY_ONE;
        Events.planned(0);
        boolean idle = oneByOne && ignored.length > 0 && Events.idle(ignored);
        if (oneByOne && !idle) {
            if (handed || ignored.length > 0 && Runners.hand(runner)) {
                runner.run(notifier);
                Events.dropRest();
                return;
            }
            runner = Request.aClass(type).getRunner();
        } else if (handed) {
            runner = Request.aClass(type).getRunner();
        }
        String[] names = Events.rest();
        if (Runners.arrange(runner, Arrays.asList(names))) {
            runner.run(notifier);
            return;
        }
        for (String name : names) {
            Runner single = Request.aClass(type).getRunner();
            new Named(name).apply(single);
            single.run(notifier);
        }
    }

    private static void list(String root, Description description) {
        if (description.isTest()) {
            String name = description.getDisplayName();
            Events.listed(root, name, null, null, null, name, false);
        }
        for (Description child : description.getChildren()) {
            list(root, child);
        }
    }

    /** As Surefire decides: a runner of its own, a JUnit 3 test, or some test method. */
    private static boolean isTest(Class<?> type) {
        if (Modifier.isAbstract(type.getModifiers())) {
            return false;
        }
        return type.isAnnotationPresent(RunWith.class) || isJUnit3(type) || hasTestMethod(type);
    }

    private static boolean isJUnit3(Class<?> type) {
        try {
            return junit.framework.Test.class.isAssignableFrom(type) || JUnit3.suiteMethod(type) != null;
        } catch (NoClassDefFoundError none) {
            return false;
        }
    }

    private static boolean hasTestMethod(Class<?> type) {
        for (Class<?> c = type; c != null && c != Object.class; c = c.getSuperclass()) {
            for (Method method : c.getDeclaredMethods()) {
                if (method.isAnnotationPresent(Test.class)) {
                    return true;
                }
            }
        }
        return false;
    }

    private abstract static class Picked extends Filter {
        abstract boolean picks(String name);

        @Override
        public boolean shouldRun(Description description) {
            if (description.isTest()) {
                return picks(description.getDisplayName());
            }
            for (Description child : description.getChildren()) {
                if (shouldRun(child)) {
                    return true;
                }
            }
            return false;
        }

        @Override
        public String describe() {
            return "tests asked for";
        }
    }

    private static final class Wanted extends Picked {
        private final String root;

        Wanted(String root) {
            this.root = root;
        }

        @Override
        boolean picks(String name) {
            return Events.wanted(root, name, null, null, null);
        }
    }

    private static final class Named extends Picked {
        private final String name;

        Named(String name) {
            this.name = name;
        }

        @Override
        boolean picks(String other) {
            return name.equals(other);
        }
    }

    private static final class Order implements Comparator<Description> {
        private final String root;

        Order(String root) {
            this.root = root;
        }

        @Override
        public int compare(Description a, Description b) {
            return Integer.compare(rank(a), rank(b));
        }

        private int rank(Description description) {
            if (description.isTest()) {
                return Events.rank(root, description.getDisplayName());
            }
            int least = Integer.MAX_VALUE;
            for (Description child : description.getChildren()) {
                least = Math.min(least, rank(child));
            }
            return least;
        }
    }

    /** Marks where tests begin and end. */
    static final class Listener extends RunListener {
        String root;

        @Override
        public void testStarted(Description description) {
            String name = description.getDisplayName();
            Events.started(root, name, null, null, null, name);
        }

        @Override
        public void testFinished(Description description) {
            Events.finished(root, description.getDisplayName());
        }

        @Override
        public void testFailure(Failure failure) {
            report(failure, false);
        }

        @Override
        public void testAssumptionFailure(Failure failure) {
            report(failure, true);
        }

        private void report(Failure failure, boolean assumption) {
            String name = failure.getDescription().getDisplayName();
            Problems.report(root, name, null, null, null, name, failure.getException(), assumption);
        }

        @Override
        public void testIgnored(Description description) {
            String name = description.getDisplayName();
            Events.skipped(root, name, null, null, null, name, reason(description));
        }

        private static String reason(Description description) {
            try {
                for (Annotation annotation : description.getAnnotations()) {
                    if (annotation instanceof Ignore) {
                        return ((Ignore) annotation).value();
                    }
                }
            } catch (LinkageError old) {
                return "";
            }
            return "";
        }
    }
}
