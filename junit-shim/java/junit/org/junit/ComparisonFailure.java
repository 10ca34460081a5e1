package org.junit;

/** Two strings that differ; the message shows where. */
public class ComparisonFailure extends AssertionError {
    private static final long serialVersionUID = 1L;
    private static final int CONTEXT = 20;
    private final String expected;
    private final String actual;

    public ComparisonFailure(String message, String expected, String actual) {
        super(message);
        this.expected = expected;
        this.actual = actual;
    }

    public String getExpected() {
        return expected;
    }

    public String getActual() {
        return actual;
    }

    @Override
    public String getMessage() {
        return compact(super.getMessage(), expected, actual);
    }

    /** `message expected:<..same[a]same..> but was:<..same[b]same..>` */
    public static String compact(String message, String expected, String actual) {
        if (expected == null || actual == null || expected.equals(actual)) {
            return Assert.format(message, expected, actual);
        }
        int shorter = Math.min(expected.length(), actual.length());
        int head = 0;
        while (head < shorter && expected.charAt(head) == actual.charAt(head)) {
            head++;
        }
        int tail = 0;
        while (tail < shorter - head && expected.charAt(expected.length() - 1 - tail)
                == actual.charAt(actual.length() - 1 - tail)) {
            tail++;
        }
        String before = expected.substring(0, head);
        if (before.length() > CONTEXT) {
            before = "..." + before.substring(head - CONTEXT);
        }
        String after = expected.substring(expected.length() - tail);
        if (after.length() > CONTEXT) {
            after = after.substring(0, CONTEXT) + "...";
        }
        String left = before + "[" + expected.substring(head, expected.length() - tail) + "]" + after;
        String right = before + "[" + actual.substring(head, actual.length() - tail) + "]" + after;
        return Assert.format(message, left, right);
    }
}
