package org.junit;

/** What a test assumes does not hold: it is skipped. */
public class AssumptionViolatedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public AssumptionViolatedException(String message) {
        super(message);
    }

    public AssumptionViolatedException(String message, Throwable cause) {
        super(message, cause);
    }
}
