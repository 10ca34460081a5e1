package bad;

import org.junit.runner.Description;
import org.junit.runner.RunWith;
import org.junit.runner.Runner;
import org.junit.runner.notification.RunNotifier;

/** A runner that takes no filter cannot go on after the test that ended the JVM: the test has its verdict, once. */
@RunWith(UnfilteredExitTest.Stubborn.class)
public class UnfilteredExitTest {
    //~ bad.UnfilteredExitTest#first passed
    //~ bad.UnfilteredExitTest#second error System.exit(1)

    public static class Stubborn extends Runner {
        private final Class<?> type;

        public Stubborn(Class<?> type) {
            this.type = type;
        }

        private Description named(String name) {
            return Description.createTestDescription(type, name);
        }

        @Override
        public Description getDescription() {
            Description all = Description.createSuiteDescription(type);
            all.addChild(named("first"));
            all.addChild(named("second"));
            all.addChild(named("third"));
            return all;
        }

        @Override
        public void run(RunNotifier notifier) {
            for (Description test : getDescription().getChildren()) {
                notifier.fireTestStarted(test);
                if (test.getMethodName().equals("second")) {
                    System.exit(1);
                }
                notifier.fireTestFinished(test);
            }
        }
    }
}
