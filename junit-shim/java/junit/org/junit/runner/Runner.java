package org.junit.runner;

import org.junit.runner.notification.RunNotifier;

/** Runs the tests of a class. */
public abstract class Runner {
    public abstract Description getDescription();

    public abstract void run(RunNotifier notifier);

    public int testCount() {
        return getDescription().testCount();
    }
}
