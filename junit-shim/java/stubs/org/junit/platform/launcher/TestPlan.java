package org.junit.platform.launcher;

import java.util.Set;
import java.util.function.Predicate;

public abstract class TestPlan {
    public abstract long countTestIdentifiers(Predicate<? super TestIdentifier> predicate);

    public abstract Set<TestIdentifier> getDescendants(TestIdentifier parent);

    public abstract Set<TestIdentifier> getRoots();
}
