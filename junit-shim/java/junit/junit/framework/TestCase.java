package junit.framework;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;

/** A test with its fixture. */
public abstract class TestCase extends Assert implements Test {
    private String name;

    public TestCase() {
    }

    public TestCase(String name) {
        this.name = name;
    }

    public String getName() {
        return name;
    }

    public void setName(String name) {
        this.name = name;
    }

    protected void setUp() throws Exception {
    }

    protected void tearDown() throws Exception {
    }

    @Override
    public int countTestCases() {
        return 1;
    }

    @Override
    public void run(TestResult result) {
        result.run(this);
    }

    public void runBare() throws Throwable {
        Throwable first = null;
        setUp();
        try {
            runTest();
        } catch (Throwable problem) {
            first = problem;
        }
        try {
            tearDown();
        } catch (Throwable problem) {
            first = first == null ? problem : first;
        }
        if (first != null) {
            throw first;
        }
    }

    protected void runTest() throws Throwable {
        assertNotNull("TestCase.fName cannot be null", name);
        Method method = getClass().getMethod(name);
        try {
            method.invoke(this);
        } catch (InvocationTargetException thrown) {
            throw thrown.getCause();
        }
    }

    @Override
    public String toString() {
        return name + "(" + getClass().getName() + ")";
    }
}
