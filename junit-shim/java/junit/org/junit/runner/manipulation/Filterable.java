package org.junit.runner.manipulation;

/** A runner that can leave tests out. */
public interface Filterable {
    void filter(Filter filter) throws NoTestsRemainException;
}
