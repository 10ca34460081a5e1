package org.junit.platform.engine.discovery;

import org.junit.platform.engine.DiscoverySelector;

public abstract class UniqueIdSelector implements DiscoverySelector {
}
