package junit.framework;

import java.util.ArrayList;
import java.util.List;

/** Passes on how tests end. */
public class TestResult {
    private final List<TestListener> listeners = new ArrayList<TestListener>();

    public void addListener(TestListener listener) {
        listeners.add(listener);
    }

    public void startTest(Test test) {
        for (TestListener listener : listeners) {
            listener.startTest(test);
        }
    }

    public void endTest(Test test) {
        for (TestListener listener : listeners) {
            listener.endTest(test);
        }
    }

    public void addError(Test test, Throwable problem) {
        for (TestListener listener : listeners) {
            listener.addError(test, problem);
        }
    }

    public void addFailure(Test test, AssertionFailedError problem) {
        for (TestListener listener : listeners) {
            listener.addFailure(test, problem);
        }
    }

    void run(TestCase test) {
        startTest(test);
        try {
            test.runBare();
        } catch (AssertionFailedError failed) {
            addFailure(test, failed);
        } catch (Throwable problem) {
            addError(test, problem);
        }
        endTest(test);
    }
}
