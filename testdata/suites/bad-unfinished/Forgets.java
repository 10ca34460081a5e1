package bad;

import org.junit.runner.Description;
import org.junit.runner.Runner;
import org.junit.runner.notification.RunNotifier;

/** A runner that starts two tests and finishes the second one only. */
public class Forgets extends Runner {
    private final Description first;
    private final Description second;
    private final Description all;

    public Forgets(Class<?> type) {
        first = Description.createTestDescription(type, "first");
        second = Description.createTestDescription(type, "second");
        all = Description.createSuiteDescription(type);
        all.addChild(first);
        all.addChild(second);
    }

    @Override
    public Description getDescription() {
        return all;
    }

    @Override
    public void run(RunNotifier notifier) {
        notifier.fireTestStarted(first);
        notifier.fireTestStarted(second);
        notifier.fireTestFinished(second);
    }
}
