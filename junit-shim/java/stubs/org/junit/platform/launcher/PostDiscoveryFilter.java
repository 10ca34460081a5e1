package org.junit.platform.launcher;

import org.junit.platform.engine.DiscoveryFilter;
import org.junit.platform.engine.TestDescriptor;

public interface PostDiscoveryFilter extends DiscoveryFilter<TestDescriptor> {
}
