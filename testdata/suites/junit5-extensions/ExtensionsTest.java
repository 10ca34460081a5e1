package extensions;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.InvocationInterceptor;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.jupiter.api.extension.ReflectiveInvocationContext;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.extension.TestExecutionExceptionHandler;

@ExtendWith(ExtensionsTest.Resolver.class)
class ExtensionsTest {
    static final List<String> LOG = new ArrayList<>();

    @RegisterExtension static final Callbacks CALLBACKS = new Callbacks();

    @Target(ElementType.METHOD)
    @Retention(RetentionPolicy.RUNTIME)
    @Test
    @ExtendWith(Skipper.class)
    @interface SkippedTest {}

    @Test
    void resolved(Integer answer) { //~ passed
        assertEquals(42, answer);
        assertTrue(LOG.contains("beforeAll"));
        assertEquals("beforeEach", LOG.get(LOG.size() - 1));
    }

    @Test
    void unresolved(Long nothing) { //~ error org.junit.jupiter.api.extension.ParameterResolutionException
    }

    @SkippedTest
    void skippedByCondition() { //~ skipped said the extension
        throw new AssertionError();
    }

    @Test
    @ExtendWith(Swallow.class)
    void exceptionHandled() { //~ passed
        throw new IllegalStateException("swallowed");
    }

    @Test
    @ExtendWith(Intercept.class)
    void intercepted() { //~ failed instead of the test
        throw new IllegalStateException("never called");
    }

    static class Resolver implements ParameterResolver {
        @Override
        public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
            return parameter.getParameter().getType() == Integer.class;
        }

        @Override
        public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
            return 42;
        }
    }

    static class Callbacks implements BeforeAllCallback, BeforeEachCallback, AfterEachCallback {
        @Override
        public void beforeAll(ExtensionContext context) {
            LOG.add("beforeAll");
        }

        @Override
        public void beforeEach(ExtensionContext context) {
            LOG.add("beforeEach");
        }

        @Override
        public void afterEach(ExtensionContext context) {
            LOG.add("afterEach");
        }
    }

    static class Skipper implements ExecutionCondition {
        @Override
        public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
            return ConditionEvaluationResult.disabled("said the extension");
        }
    }

    static class Swallow implements TestExecutionExceptionHandler {
        @Override
        public void handleTestExecutionException(ExtensionContext context, Throwable thrown) {}
    }

    static class Intercept implements InvocationInterceptor {
        @Override
        public void interceptTestMethod(
                Invocation<Void> invocation, ReflectiveInvocationContext<java.lang.reflect.Method> what, ExtensionContext context) {
            invocation.skip();
            throw new AssertionError("instead of the test");
        }
    }
}
