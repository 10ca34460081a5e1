package org.junit.runner.manipulation;

/** A runner whose tests can be put in order. */
public interface Sortable {
    void sort(Sorter sorter);
}
