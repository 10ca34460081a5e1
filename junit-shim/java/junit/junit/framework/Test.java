package junit.framework;

/** Something that runs and reports to a result. */
public interface Test {
    int countTestCases();

    void run(TestResult result);
}
