package rules;

import org.junit.ClassRule;
import org.junit.Test;
import org.junit.rules.ExternalResource;

public class ClassRuleFailsTest { //~ error no server
    @ClassRule
    public static final ExternalResource SERVER = new ExternalResource() {
        @Override
        protected void before() {
            throw new IllegalStateException("no server");
        }
    };

    @Test
    public void one() {}
}
