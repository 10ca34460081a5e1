package org.junit;

/** Conditions without which a test means nothing. */
public class Assume {
    protected Assume() {
    }

    public static void assumeTrue(boolean condition) {
        assumeTrue("got: <false>, expected: is <true>", condition);
    }

    public static void assumeTrue(String message, boolean condition) {
        if (!condition) {
            throw new AssumptionViolatedException(message);
        }
    }

    public static void assumeFalse(boolean condition) {
        assumeTrue("got: <true>, expected: is <false>", !condition);
    }

    public static void assumeFalse(String message, boolean condition) {
        assumeTrue(message, !condition);
    }

    public static void assumeNotNull(Object... objects) {
        assumeTrue("got: null", objects != null);
        for (Object object : objects) {
            assumeTrue("got: null", object != null);
        }
    }

    public static void assumeNoException(Throwable problem) {
        assumeNoException("got: " + problem, problem);
    }

    public static void assumeNoException(String message, Throwable problem) {
        if (problem != null) {
            throw new AssumptionViolatedException(message, problem);
        }
    }
}
