package org.junit.platform.engine;

import java.util.Optional;
import java.util.Set;

public interface TestDescriptor {
    UniqueId getUniqueId();

    String getDisplayName();

    Optional<TestSource> getSource();

    Set<? extends TestDescriptor> getChildren();

    Set<? extends TestDescriptor> getDescendants();

    Optional<TestDescriptor> getParent();

    void addChild(TestDescriptor descriptor);

    void removeChild(TestDescriptor descriptor);

    boolean isTest();

    void removeFromHierarchy();

    void prune();

    void accept(Visitor visitor);

    interface Visitor {
        void visit(TestDescriptor descriptor);
    }
}
