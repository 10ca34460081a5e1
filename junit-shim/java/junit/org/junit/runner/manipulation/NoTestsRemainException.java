package org.junit.runner.manipulation;

/** A filter has left nothing to run. */
public class NoTestsRemainException extends Exception {
    private static final long serialVersionUID = 1L;
}
