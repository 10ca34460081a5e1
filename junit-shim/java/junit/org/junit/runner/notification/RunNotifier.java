package org.junit.runner.notification;

import java.util.ArrayList;
import java.util.List;
import org.junit.runner.Description;
import org.junit.runner.Result;

/** Tells listeners how a run goes. */
public class RunNotifier {
    private final List<RunListener> listeners = new ArrayList<RunListener>();

    public void addListener(RunListener listener) {
        listeners.add(listener);
    }

    /** One piece of news. */
    private abstract class News {
        abstract void tell(RunListener listener) throws Exception;

        void spread() {
            for (RunListener listener : listeners) {
                try {
                    tell(listener);
                } catch (Exception broken) {
                    throw new IllegalStateException(broken);
                }
            }
        }
    }

    public void fireTestRunStarted(final Description description) {
        new News() {
            @Override
            void tell(RunListener listener) throws Exception {
                listener.testRunStarted(description);
            }
        }.spread();
    }

    public void fireTestRunFinished(final Result result) {
        new News() {
            @Override
            void tell(RunListener listener) throws Exception {
                listener.testRunFinished(result);
            }
        }.spread();
    }

    public void fireTestStarted(final Description description) {
        new News() {
            @Override
            void tell(RunListener listener) throws Exception {
                listener.testStarted(description);
            }
        }.spread();
    }

    public void fireTestFinished(final Description description) {
        new News() {
            @Override
            void tell(RunListener listener) throws Exception {
                listener.testFinished(description);
            }
        }.spread();
    }

    public void fireTestFailure(final Failure failure) {
        new News() {
            @Override
            void tell(RunListener listener) throws Exception {
                listener.testFailure(failure);
            }
        }.spread();
    }

    public void fireTestAssumptionFailed(final Failure failure) {
        new News() {
            @Override
            void tell(RunListener listener) {
                listener.testAssumptionFailure(failure);
            }
        }.spread();
    }

    public void fireTestIgnored(final Description description) {
        new News() {
            @Override
            void tell(RunListener listener) throws Exception {
                listener.testIgnored(description);
            }
        }.spread();
    }
}
