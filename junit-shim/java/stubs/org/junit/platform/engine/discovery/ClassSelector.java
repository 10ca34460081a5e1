package org.junit.platform.engine.discovery;

import org.junit.platform.engine.DiscoverySelector;

public abstract class ClassSelector implements DiscoverySelector {
    public abstract String getClassName();
}
