import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.UniqueId;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.Launcher;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.TestPlan;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/**
 * Runs the classes given by name with the JUnit platform on HotSpot, and prints one line per outcome:
 * class, method, invocation, outcome, display name, message.
 */
public class Platform implements TestExecutionListener {
    private static final PrintStream OUT = System.out;
    private TestPlan plan;

    public static void main(String[] names) {
        System.setOut(System.err);
        LauncherDiscoveryRequestBuilder request = LauncherDiscoveryRequestBuilder.request();
        for (String name : names) {
            request.selectors(DiscoverySelectors.selectClass(name));
        }
        Launcher launcher = LauncherFactory.create();
        launcher.execute(request.build(), new Platform());
        System.exit(0);
    }

    @Override
    public void testPlanExecutionStarted(TestPlan plan) {
        this.plan = plan;
    }

    /** A container that is skipped stands for each test in it. */
    @Override
    public void executionSkipped(TestIdentifier test, String reason) {
        boolean any = false;
        for (TestIdentifier inside : plan.getDescendants(test)) {
            if (inside.isTest() || inside.getSource().orElse(null) instanceof MethodSource) {
                print(inside, "skipped", reason);
                any = true;
            }
        }
        if (!any) {
            print(test, "skipped", reason);
        }
    }

    @Override
    public void executionFinished(TestIdentifier test, TestExecutionResult result) {
        Throwable thrown = result.getThrowable().orElse(null);
        switch (result.getStatus()) {
            case SUCCESSFUL:
                if (test.isTest()) {
                    print(test, "passed", "");
                }
                break;
            case ABORTED:
                print(test, "skipped", String.valueOf(thrown));
                break;
            default:
                print(test, thrown instanceof AssertionError ? "failed" : "error", String.valueOf(thrown));
        }
    }

    /** The unique id tells what the source does not: which invocation of which method of which nested class. */
    private static void print(TestIdentifier test, String outcome, String message) {
        String type = "";
        String method = "";
        List<String> invocation = new ArrayList<>();
        for (UniqueId.Segment segment : UniqueId.parse(test.getUniqueId()).getSegments()) {
            String value = segment.getValue();
            switch (segment.getType()) {
                case "class", "runner" -> type = value;
                case "nested-class" -> type += "$" + value;
                case "method", "test-factory", "test-template" -> method = value.replaceFirst("\\(.*", "");
                case "test-template-invocation", "dynamic-container", "dynamic-test" -> invocation.add(value.substring(1));
                case "test" -> {
                    // Vintage: «odd[0](mixed.ParamTest)», or a container of the runner's own.
                    int end = value.lastIndexOf('(');
                    String name = end > 0 ? value.substring(0, end) : "";
                    int bracket = name.indexOf('[');
                    method = bracket > 0 ? name.substring(0, bracket) : name;
                    invocation.clear();
                    if (bracket > 0) {
                        invocation.add(name.substring(bracket + 1, name.lastIndexOf(']')));
                    }
                }
                default -> { }
            }
        }
        line(type, method, String.join(".", invocation), outcome, test.getDisplayName(), message);
    }

    private static void line(String... cells) {
        StringBuilder line = new StringBuilder();
        for (String cell : cells) {
            line.append(line.length() == 0 ? "" : "\t");
            line.append(cell == null ? "" : cell.replace("\\", "\\\\").replace("\n", "\\n").replace("\t", "\\t"));
        }
        byte[] bytes = line.append('\n').toString().getBytes(StandardCharsets.UTF_8);
        OUT.write(bytes, 0, bytes.length);
        OUT.flush();
    }
}
