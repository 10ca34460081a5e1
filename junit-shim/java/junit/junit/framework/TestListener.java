package junit.framework;

/** Hears of a run's progress. */
public interface TestListener {
    void addError(Test test, Throwable problem);

    void addFailure(Test test, AssertionFailedError problem);

    void endTest(Test test);

    void startTest(Test test);
}
