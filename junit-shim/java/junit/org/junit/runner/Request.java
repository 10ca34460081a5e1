package org.junit.runner;

import org.junit.Ignore;

/** Something to run. */
public abstract class Request {
    public abstract Runner getRunner();

    public static Request aClass(final Class<?> type) {
        return new Request() {
            @Override
            public Runner getRunner() {
                return runnerOf(type);
            }
        };
    }

    static Runner runnerOf(Class<?> type) {
        try {
            RunWith with = type.getAnnotation(RunWith.class);
            if (type.isAnnotationPresent(Ignore.class)) {
                return new Given(type, null);
            } else if (with != null) {
                return with.value().getConstructor(Class.class).newInstance(type);
            } else if (junit.framework.Test.class.isAssignableFrom(type) || Cases.suiteOf(type) != null) {
                return new Cases(type);
            }
            return new Methods(type);
        } catch (java.lang.reflect.InvocationTargetException thrown) {
            return new Given(type, thrown.getCause());
        } catch (Throwable problem) {
            return new Given(type, problem);
        }
    }
}
