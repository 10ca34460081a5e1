package org.junit.runner;

import org.junit.runner.notification.Failure;
import org.junit.runner.notification.RunNotifier;

/** A class that is ignored, or whose tests cannot be found out. */
final class Given extends Runner {
    private final Class<?> type;
    private final Throwable problem;

    Given(Class<?> type, Throwable problem) {
        this.type = type;
        this.problem = problem;
    }

    @Override
    public Description getDescription() {
        return problem == null ? Description.createSuiteDescription(type)
                : Description.createTestDescription(type, "initializationError");
    }

    @Override
    public void run(RunNotifier notifier) {
        Description description = getDescription();
        if (problem == null) {
            notifier.fireTestIgnored(description);
            return;
        }
        notifier.fireTestStarted(description);
        notifier.fireTestFailure(new Failure(description, problem));
        notifier.fireTestFinished(description);
    }
}
