package org.junit.platform.launcher;

import org.junit.platform.engine.EngineDiscoveryListener;
import org.junit.platform.engine.UniqueId;

public interface LauncherDiscoveryListener extends EngineDiscoveryListener {
    default void engineDiscoveryFinished(UniqueId engineId, EngineDiscoveryResult result) {
    }
}
