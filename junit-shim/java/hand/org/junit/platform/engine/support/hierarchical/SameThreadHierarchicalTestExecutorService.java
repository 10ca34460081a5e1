package org.junit.platform.engine.support.hierarchical;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import poldet.shim.Hands;

/**
 * Takes the place of the platform's own class in VMs that run sequences: the tests of a container are handed out one by one,
 * when its fixtures have run, and the VM can be forked between two of them.
 */
public class SameThreadHierarchicalTestExecutorService implements HierarchicalTestExecutorService {
    /** Tells this class from the platform's. */
    static final boolean HANDS = true;

    public SameThreadHierarchicalTestExecutorService() {
    }

    @Override
    public Future<Void> submit(TestTask testTask) {
        Hands.submit(testTask);
        return CompletableFuture.completedFuture(null);
    }

    @Override
    public void invokeAll(List<? extends TestTask> testTasks) {
        Hands.invokeAll(testTasks);
    }

    @Override
    public void close() {
    }
}
