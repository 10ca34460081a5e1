package org.junit.platform.launcher.core;

import java.util.List;
import org.junit.platform.engine.DiscoverySelector;
import org.junit.platform.engine.Filter;
import org.junit.platform.launcher.LauncherDiscoveryListener;
import org.junit.platform.launcher.LauncherDiscoveryRequest;

public abstract class LauncherDiscoveryRequestBuilder {
    public static LauncherDiscoveryRequestBuilder request() {
        return null;
    }

    public abstract LauncherDiscoveryRequestBuilder selectors(List<? extends DiscoverySelector> selectors);

    public abstract LauncherDiscoveryRequestBuilder filters(Filter<?>... filters);

    public abstract LauncherDiscoveryRequestBuilder configurationParameter(String key, String value);

    public abstract LauncherDiscoveryRequestBuilder listeners(LauncherDiscoveryListener... listeners);

    public abstract LauncherDiscoveryRequest build();
}
