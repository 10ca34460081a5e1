package org.junit.platform.engine.support.descriptor;

import org.junit.platform.engine.TestSource;

public abstract class MethodSource implements TestSource {
    public abstract String getClassName();

    public abstract String getMethodName();

    public abstract String getMethodParameterTypes();
}
