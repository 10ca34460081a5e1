package runners;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Comparator;
import org.junit.runner.Description;
import org.junit.runner.Runner;
import org.junit.runner.notification.Failure;
import org.junit.runner.notification.RunNotifier;

public class TwiceRunner extends Runner {
    private final Class<?> type;

    public TwiceRunner(Class<?> type) {
        this.type = type;
    }

    private Method[] tests() {
        Method[] methods = Arrays.stream(type.getDeclaredMethods())
                .filter(m -> m.getParameterCount() == 0 && !m.isSynthetic())
                .toArray(Method[]::new);
        Arrays.sort(methods, Comparator.comparing(Method::getName));
        return methods;
    }

    private Description describe(Method method) {
        return Description.createTestDescription(type, method.getName());
    }

    @Override
    public Description getDescription() {
        Description all = Description.createSuiteDescription(type);
        for (Method method : tests()) {
            all.addChild(describe(method));
        }
        return all;
    }

    @Override
    public void run(RunNotifier notifier) {
        for (Method method : tests()) {
            for (int time = 0; time < 2; time++) {
                Description description = describe(method);
                notifier.fireTestStarted(description);
                try {
                    method.invoke(type.getDeclaredConstructor().newInstance());
                } catch (InvocationTargetException e) {
                    notifier.fireTestFailure(new Failure(description, e.getCause()));
                } catch (ReflectiveOperationException e) {
                    notifier.fireTestFailure(new Failure(description, e));
                }
                notifier.fireTestFinished(description);
            }
        }
    }
}
