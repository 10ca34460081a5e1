package rules;

import static org.junit.Assert.assertEquals;

import java.util.ArrayList;
import java.util.List;
import org.junit.After;
import org.junit.Before;
import org.junit.ClassRule;
import org.junit.FixMethodOrder;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.ExternalResource;
import org.junit.rules.MethodRule;
import org.junit.rules.RuleChain;
import org.junit.rules.TestRule;
import org.junit.rules.TestWatcher;
import org.junit.runner.Description;
import org.junit.runners.MethodSorters;
import org.junit.runners.model.FrameworkMethod;
import org.junit.runners.model.Statement;

@FixMethodOrder(MethodSorters.NAME_ASCENDING)
public class OwnRulesTest {
    static final List<String> LOG = new ArrayList<>();

    @ClassRule
    public static final ExternalResource SERVER = new ExternalResource() {
        @Override
        protected void before() {
            LOG.add("server up");
        }
    };

    @Rule
    public final RuleChain chain = RuleChain.outerRule(resource("outer")).around(resource("inner"));

    @Rule
    public final TestWatcher watcher = new TestWatcher() {
        @Override
        protected void failed(Throwable e, Description description) {
            LOG.add("failed " + description.getMethodName());
        }
    };

    @Rule
    public MethodRule retry() {
        return (Statement base, FrameworkMethod method, Object target) -> new Statement() {
            @Override
            public void evaluate() throws Throwable {
                if (method.getName().equals("c_passesAtTheSecondTry")) {
                    try {
                        base.evaluate();
                    } catch (IllegalStateException e) {
                        base.evaluate();
                    }
                } else {
                    base.evaluate();
                }
            }
        };
    }

    private static TestRule resource(String name) {
        return new ExternalResource() {
            @Override
            protected void before() {
                LOG.add(name);
            }

            @Override
            protected void after() {
                LOG.add("/" + name);
            }
        };
    }

    @Before
    public void before() {
        LOG.add("before");
    }

    @After
    public void after() {
        LOG.add("after");
    }

    @Test
    public void a_order() { //~ passed
        assertEquals(List.of("server up", "outer", "inner", "before"), LOG);
    }

    @Test
    public void b_failsUnderWatch() { //~ failed watched
        assertEquals(List.of("server up", "outer", "inner", "before", "after", "/inner", "/outer"), LOG.subList(0, 7));
        throw new AssertionError("watched");
    }

    static int tries;

    @Test
    public void c_passesAtTheSecondTry() { //~ passed
        if (tries++ == 0) {
            throw new IllegalStateException("first try");
        }
        assertEquals(true, LOG.contains("failed b_failsUnderWatch"));
    }
}
