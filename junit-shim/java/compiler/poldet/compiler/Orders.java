package poldet.compiler;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.Launcher;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.runner.Description;
import org.junit.runner.Request;
import org.junit.runner.Runner;
import org.junit.runner.manipulation.Filter;
import org.junit.runner.manipulation.Sorter;
import org.junit.runner.notification.Failure;
import org.junit.runner.notification.RunListener;
import org.junit.runner.notification.RunNotifier;

/**
 * Runs tests in one JVM in a given order and prints how they ended. A line of standard input is a test: the JUnit that runs it (4 or 5), the
 * class that this is asked for, and the test as it names it, with tabs between.
 */
public final class Orders {
    private static final Map<String, String> outcomes = new HashMap<String, String>();

    public static void main(String[] args) throws Exception {
        PrintStream out = System.out;
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        List<String[]> tests = new ArrayList<String[]>();
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            tests.add(line.split("\t"));
        }
        int at = 0;
        while (at < tests.size()) {
            List<String> group = new ArrayList<String>();
            String[] first = tests.get(at);
            while (at < tests.size() && same(first, tests.get(at)) && !group.contains(tests.get(at)[2])) {
                group.add(tests.get(at)[2]);
                at++;
                if (first[0].equals("5")) {
                    break;
                }
            }
            outcomes.clear();
            try {
                if (first[0].equals("5")) {
                    Platform.run(group.get(0));
                } else {
                    Old.run(Class.forName(first[1]), group);
                }
            } catch (Throwable problem) {
                // A class that cannot be loaded has no tests that ran.
            }
            for (String test : group) {
                String outcome = outcomes.get(test);
                out.println("poldet\t" + (outcome == null ? "none" : outcome));
            }
            out.flush();
        }
        // Threads that tests have left running do not matter any more.
        Runtime.getRuntime().halt(0);
    }

    private static boolean same(String[] a, String[] b) {
        return a[0].equals(b[0]) && a[1].equals(b[1]);
    }

    /** JUnit 4, and JUnit 3 through it. */
    private static final class Old {
        static void run(Class<?> type, final List<String> tests) throws Exception {
            Runner runner = Request.aClass(type).getRunner();
            new Filter() {
                @Override
                public boolean shouldRun(Description description) {
                    if (tests.contains(description.getDisplayName())) {
                        return true;
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
                    return "tests of an order";
                }
            }.apply(runner);
            new Sorter(new Comparator<Description>() {
                @Override
                public int compare(Description a, Description b) {
                    return tests.indexOf(a.getDisplayName()) - tests.indexOf(b.getDisplayName());
                }
            }).apply(runner);
            RunNotifier notifier = new RunNotifier();
            notifier.addListener(new RunListener() {
                @Override
                public void testFinished(Description test) {
                    if (!outcomes.containsKey(test.getDisplayName())) {
                        outcomes.put(test.getDisplayName(), "passed");
                    }
                }

                @Override
                public void testFailure(Failure failure) {
                    boolean failed = failure.getException() instanceof AssertionError;
                    outcomes.put(failure.getDescription().getDisplayName(), failed ? "failed" : "error");
                }

                @Override
                public void testAssumptionFailure(Failure failure) {
                    outcomes.put(failure.getDescription().getDisplayName(), "skipped");
                }

                @Override
                public void testIgnored(Description test) {
                    outcomes.put(test.getDisplayName(), "skipped");
                }
            });
            runner.run(notifier);
        }
    }

    /** The JUnit platform. */
    private static final class Platform {
        static void run(final String test) {
            LauncherDiscoveryRequest request = LauncherDiscoveryRequestBuilder.request()
                    .selectors(java.util.Collections.singletonList(DiscoverySelectors.selectUniqueId(test)))
                    .build();
            Launcher launcher = LauncherFactory.create();
            launcher.execute(request, new TestExecutionListener() {
                @Override
                public void executionFinished(TestIdentifier id, TestExecutionResult result) {
                    boolean ended = id.isTest() || result.getStatus() != TestExecutionResult.Status.SUCCESSFUL;
                    if (!ended || "failed".equals(outcomes.get(test)) || "error".equals(outcomes.get(test))) {
                        return;
                    }
                    switch (result.getStatus()) {
                        case SUCCESSFUL:
                            outcomes.put(test, "passed");
                            break;
                        case ABORTED:
                            outcomes.put(test, "skipped");
                            break;
                        default:
                            boolean failed = result.getThrowable().orElse(null) instanceof AssertionError;
                            outcomes.put(test, failed ? "failed" : "error");
                    }
                }

                @Override
                public void executionSkipped(TestIdentifier id, String reason) {
                    outcomes.put(test, "skipped");
                }
            });
        }
    }
}
