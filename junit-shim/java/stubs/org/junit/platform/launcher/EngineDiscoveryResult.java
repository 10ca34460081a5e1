package org.junit.platform.launcher;

import java.util.Optional;

public abstract class EngineDiscoveryResult {
    public abstract Optional<Throwable> getThrowable();
}
