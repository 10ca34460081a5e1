package org.junit.platform.launcher;

import org.junit.platform.engine.TestExecutionResult;

public interface TestExecutionListener {
    default void testPlanExecutionStarted(TestPlan plan) {
    }

    default void executionSkipped(TestIdentifier identifier, String reason) {
    }

    default void executionStarted(TestIdentifier identifier) {
    }

    default void executionFinished(TestIdentifier identifier, TestExecutionResult result) {
    }
}
