package org.junit.platform.engine.support.hierarchical;

import java.util.List;
import java.util.concurrent.Future;

public interface HierarchicalTestExecutorService extends AutoCloseable {
    Future<Void> submit(TestTask testTask);

    void invokeAll(List<? extends TestTask> testTasks);

    @Override
    void close();

    interface TestTask {
        void execute();
    }
}
