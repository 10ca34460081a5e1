import java.io.PrintStream;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import junit.framework.TestCase;
import org.junit.Test;
import org.junit.runner.Description;
import org.junit.runner.JUnitCore;
import org.junit.runner.RunWith;
import org.junit.runner.notification.Failure;
import org.junit.runner.notification.RunListener;

/**
 * Runs the classes given by name with JUnit 4 on HotSpot, and prints one line per outcome:
 * class, method, invocation, outcome, display name, message.
 */
public class Core extends RunListener {
    private static final PrintStream OUT = System.out;
    private final Map<Description, String[]> running = new HashMap<>();

    public static void main(String[] names) throws Exception {
        System.setOut(System.err);
        JUnitCore core = new JUnitCore();
        core.addListener(new Core());
        for (String name : names) {
            Class<?> type = Class.forName(name, false, Core.class.getClassLoader());
            if (hasTests(type)) {
                core.run(type);
            }
        }
        // Tests may have left threads behind.
        System.exit(0);
    }

    /** As Surefire decides it. */
    private static boolean hasTests(Class<?> type) {
        if (Modifier.isAbstract(type.getModifiers())) {
            return false;
        }
        if (TestCase.class.isAssignableFrom(type) || type.isAnnotationPresent(RunWith.class)) {
            return true;
        }
        for (Method method : type.getMethods()) {
            if (method.isAnnotationPresent(Test.class) || method.getName().equals("suite")) {
                return true;
            }
        }
        return false;
    }

    @Override
    public void testStarted(Description test) {
        running.put(test, new String[] {"passed", ""});
    }

    @Override
    public void testFailure(Failure failure) {
        end(failure, failure.getException() instanceof AssertionError ? "failed" : "error");
    }

    @Override
    public void testAssumptionFailure(Failure failure) {
        end(failure, "skipped");
    }

    @Override
    public void testIgnored(Description test) {
        org.junit.Ignore ignore = test.getAnnotation(org.junit.Ignore.class);
        print(test, "skipped", ignore == null ? "" : ignore.value());
    }

    @Override
    public void testFinished(Description test) {
        String[] result = running.remove(test);
        print(test, result[0], result[1]);
    }

    private void end(Failure failure, String outcome) {
        String[] result = running.get(failure.getDescription());
        if (result == null) {
            print(failure.getDescription(), outcome, String.valueOf(failure.getException()));
        } else if (result[0].equals("passed")) {
            result[0] = outcome;
            result[1] = String.valueOf(failure.getException());
        }
    }

    private static void print(Description test, String outcome, String message) {
        String method = test.getMethodName() == null ? "" : test.getMethodName();
        String invocation = "";
        int bracket = method.indexOf('[');
        if (bracket > 0 && method.endsWith("]")) {
            invocation = method.substring(bracket + 1, method.length() - 1);
            method = method.substring(0, bracket);
        }
        line(test.getClassName(), method, invocation, outcome, test.getDisplayName(), message);
    }

    static void line(String... cells) {
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
