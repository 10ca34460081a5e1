package org.junit.runner.manipulation;

import java.util.Comparator;
import org.junit.runner.Description;

/** Puts tests in order. */
public class Sorter implements Comparator<Description> {
    private final Comparator<Description> comparator;

    public Sorter(Comparator<Description> comparator) {
        this.comparator = comparator;
    }

    public void apply(Object object) {
        if (object instanceof Sortable) {
            ((Sortable) object).sort(this);
        }
    }

    @Override
    public int compare(Description a, Description b) {
        return comparator.compare(a, b);
    }
}
