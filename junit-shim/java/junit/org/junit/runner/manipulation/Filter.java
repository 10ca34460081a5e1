package org.junit.runner.manipulation;

import org.junit.runner.Description;

/** Chooses tests. */
public abstract class Filter {
    public abstract boolean shouldRun(Description description);

    public abstract String describe();

    public void apply(Object child) throws NoTestsRemainException {
        if (child instanceof Filterable) {
            ((Filterable) child).filter(this);
        }
    }
}
