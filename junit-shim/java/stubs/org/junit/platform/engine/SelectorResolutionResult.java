package org.junit.platform.engine;

import java.util.Optional;

public abstract class SelectorResolutionResult {
    public abstract Optional<Throwable> getThrowable();
}
