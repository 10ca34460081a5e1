package org.junit;

import java.lang.reflect.Array;
import org.junit.function.ThrowingRunnable;

/** The assertions tests use most. */
public class Assert {
    protected Assert() {
    }

    public static void fail() {
        fail(null);
    }

    public static void fail(String message) {
        throw message == null ? new AssertionError() : new AssertionError(message);
    }

    public static void assertTrue(boolean condition) {
        assertTrue(null, condition);
    }

    public static void assertTrue(String message, boolean condition) {
        if (!condition) {
            fail(message);
        }
    }

    public static void assertFalse(boolean condition) {
        assertTrue(null, !condition);
    }

    public static void assertFalse(String message, boolean condition) {
        assertTrue(message, !condition);
    }

    public static void assertNull(Object object) {
        assertNull(null, object);
    }

    public static void assertNull(String message, Object object) {
        if (object != null) {
            fail(prefix(message) + "expected null, but was:<" + object + ">");
        }
    }

    public static void assertNotNull(Object object) {
        assertNotNull(null, object);
    }

    public static void assertNotNull(String message, Object object) {
        assertTrue(message, object != null);
    }

    public static void assertSame(Object expected, Object actual) {
        assertSame(null, expected, actual);
    }

    public static void assertSame(String message, Object expected, Object actual) {
        if (expected != actual) {
            fail(prefix(message) + "expected same:<" + expected + "> was not:<" + actual + ">");
        }
    }

    public static void assertNotSame(Object unexpected, Object actual) {
        assertNotSame(null, unexpected, actual);
    }

    public static void assertNotSame(String message, Object unexpected, Object actual) {
        if (unexpected == actual) {
            fail(prefix(message) + "expected not same");
        }
    }

    public static void assertEquals(Object expected, Object actual) {
        assertEquals(null, expected, actual);
    }

    public static void assertEquals(String message, Object expected, Object actual) {
        if (same(expected, actual)) {
            return;
        }
        if (expected instanceof String && actual instanceof String) {
            throw new ComparisonFailure(message == null ? "" : message, (String) expected, (String) actual);
        }
        fail(format(message, expected, actual));
    }

    public static void assertEquals(long expected, long actual) {
        assertEquals(null, expected, actual);
    }

    public static void assertEquals(String message, long expected, long actual) {
        if (expected != actual) {
            fail(format(message, Long.valueOf(expected), Long.valueOf(actual)));
        }
    }

    public static void assertEquals(double expected, double actual, double delta) {
        assertEquals(null, expected, actual, delta);
    }

    public static void assertEquals(String message, double expected, double actual, double delta) {
        if (Double.compare(expected, actual) != 0 && !(Math.abs(expected - actual) <= delta)) {
            fail(format(message, Double.valueOf(expected), Double.valueOf(actual)));
        }
    }

    public static void assertEquals(float expected, float actual, float delta) {
        assertEquals(null, expected, actual, delta);
    }

    public static void assertEquals(String message, float expected, float actual, float delta) {
        if (Float.compare(expected, actual) != 0 && !(Math.abs(expected - actual) <= delta)) {
            fail(format(message, Float.valueOf(expected), Float.valueOf(actual)));
        }
    }

    public static void assertEquals(double expected, double actual) {
        fail("Use assertEquals(expected, actual, delta) to compare floating-point numbers");
    }

    public static void assertNotEquals(Object unexpected, Object actual) {
        assertNotEquals(null, unexpected, actual);
    }

    public static void assertNotEquals(String message, Object unexpected, Object actual) {
        if (same(unexpected, actual)) {
            fail((message == null ? "Values should be different. " : message + ". ") + "Actual: " + actual);
        }
    }

    public static void assertNotEquals(long unexpected, long actual) {
        assertNotEquals(null, Long.valueOf(unexpected), Long.valueOf(actual));
    }

    public static void assertNotEquals(String message, long unexpected, long actual) {
        assertNotEquals(message, Long.valueOf(unexpected), Long.valueOf(actual));
    }

    public static void assertArrayEquals(Object[] expected, Object[] actual) {
        compareArrays(null, expected, actual, 0);
    }

    public static void assertArrayEquals(String message, Object[] expected, Object[] actual) {
        compareArrays(message, expected, actual, 0);
    }

    public static void assertArrayEquals(boolean[] expected, boolean[] actual) {
        compareArrays(null, expected, actual, 0);
    }

    public static void assertArrayEquals(byte[] expected, byte[] actual) {
        compareArrays(null, expected, actual, 0);
    }

    public static void assertArrayEquals(String message, byte[] expected, byte[] actual) {
        compareArrays(message, expected, actual, 0);
    }

    public static void assertArrayEquals(char[] expected, char[] actual) {
        compareArrays(null, expected, actual, 0);
    }

    public static void assertArrayEquals(String message, char[] expected, char[] actual) {
        compareArrays(message, expected, actual, 0);
    }

    public static void assertArrayEquals(short[] expected, short[] actual) {
        compareArrays(null, expected, actual, 0);
    }

    public static void assertArrayEquals(int[] expected, int[] actual) {
        compareArrays(null, expected, actual, 0);
    }

    public static void assertArrayEquals(String message, int[] expected, int[] actual) {
        compareArrays(message, expected, actual, 0);
    }

    public static void assertArrayEquals(long[] expected, long[] actual) {
        compareArrays(null, expected, actual, 0);
    }

    public static void assertArrayEquals(String message, long[] expected, long[] actual) {
        compareArrays(message, expected, actual, 0);
    }

    public static void assertArrayEquals(double[] expected, double[] actual, double delta) {
        compareArrays(null, expected, actual, delta);
    }

    public static void assertArrayEquals(String message, double[] expected, double[] actual, double delta) {
        compareArrays(message, expected, actual, delta);
    }

    public static void assertArrayEquals(float[] expected, float[] actual, float delta) {
        compareArrays(null, expected, actual, delta);
    }

    public static <T extends Throwable> T assertThrows(Class<T> expected, ThrowingRunnable code) {
        return assertThrows(null, expected, code);
    }

    public static <T extends Throwable> T assertThrows(String message, Class<T> expected,
            ThrowingRunnable code) {
        try {
            code.run();
        } catch (Throwable thrown) {
            if (expected.isInstance(thrown)) {
                return expected.cast(thrown);
            }
            throw new AssertionError(prefix(message) + "unexpected exception type thrown; expected:<"
                    + expected.getName() + "> but was:<" + thrown.getClass().getName() + ">", thrown);
        }
        throw new AssertionError(prefix(message) + "expected " + expected.getName()
                + " to be thrown, but nothing was thrown");
    }


    private static boolean same(Object a, Object b) {
        return a == null ? b == null : a.equals(b);
    }

    private static String prefix(String message) {
        return message == null || message.isEmpty() ? "" : message + " ";
    }

    static String format(String message, Object expected, Object actual) {
        String left = String.valueOf(expected);
        String right = String.valueOf(actual);
        if (left.equals(right)) {
            left = describe(expected, left);
            right = describe(actual, right);
        }
        return prefix(message) + "expected:" + bracket(left, expected, actual) + " but was:"
                + bracket(right, actual, expected);
    }

    private static String bracket(String text, Object object, Object other) {
        boolean described = object != null && String.valueOf(object).equals(String.valueOf(other))
                && !(object instanceof String && object.equals(other));
        return described ? text : "<" + text + ">";
    }

    private static String describe(Object object, String text) {
        return object == null ? "null" : object.getClass().getName() + "<" + text + ">";
    }

    private static void compareArrays(String message, Object expected, Object actual, double delta) {
        if (expected == actual) {
            return;
        }
        String start = message == null ? "" : message + ": ";
        if (expected == null || actual == null) {
            fail(start + (expected == null ? "expected array was null" : "actual array was null"));
        }
        int length = Array.getLength(expected);
        if (length != Array.getLength(actual)) {
            fail(start + "array lengths differed, expected.length=" + length + " actual.length="
                    + Array.getLength(actual));
        }
        for (int i = 0; i < length; i++) {
            compareElements(start + "arrays first differed at element [" + i + "];", Array.get(expected, i),
                    Array.get(actual, i), delta);
        }
    }

    private static void compareElements(String message, Object expected, Object actual, double delta) {
        if (expected != null && actual != null && expected.getClass().isArray() && actual.getClass().isArray()) {
            compareArrays(message, expected, actual, delta);
        } else if (expected instanceof Double && actual instanceof Double) {
            assertEquals(message, ((Double) expected).doubleValue(), ((Double) actual).doubleValue(), delta);
        } else if (expected instanceof Float && actual instanceof Float) {
            assertEquals(message, ((Float) expected).floatValue(), ((Float) actual).floatValue(), (float) delta);
        } else {
            assertEquals(message, expected, actual);
        }
    }
}
