package org.junit.platform.engine;

public interface EngineDiscoveryListener {
    default void selectorProcessed(UniqueId engineId, DiscoverySelector selector,
            SelectorResolutionResult result) {
    }
}
