package poldet.shim;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.runner.Description;
import org.junit.runners.model.RunnerScheduler;

/**
 * Hands out the children of a JUnit 4 runner one by one, as the step's sequence has them. The runner schedules all of them when
 * its class fixtures have run; which of them run, how often and in which order is decided here.
 */
final class Children implements RunnerScheduler {
    private final Map<String, Integer> owners = new HashMap<String, Integer>();
    private final List<Boolean> tests = new ArrayList<Boolean>();
    private List<Runnable> scheduled = new ArrayList<Runnable>();

    private Children() {
    }

    /** Whether the runner, a ParentRunner, will ask for its tests. */
    static boolean hand(Class<?> type, Object runner, int delegates) throws Exception {
        Children children = new Children();
        for (Object child : (Collection<?>) Runners.method(type, "getFilteredChildren").invoke(runner)) {
            Description description =
                    (Description) Runners.method(type, "describeChild", Object.class).invoke(runner, child);
            boolean test = description.isTest();
            children.addNames(description, children.tests.size());
            children.tests.add(test);
            if (!test && !Runners.hand(child, delegates)) {
                return false;
            }
        }
        Runners.method(type, "setScheduler", RunnerScheduler.class).invoke(runner, children);
        return true;
    }

    private void addNames(Description description, int child) {
        if (description.isTest() && !owners.containsKey(description.getDisplayName())) {
            owners.put(description.getDisplayName(), child);
        }
        for (Description inner : description.getChildren()) {
            addNames(inner, child);
        }
    }

    @Override
    public void schedule(Runnable child) {
        if (Events.handing()) {
            scheduled.add(child);
        } else {
            child.run();
        }
    }

    @Override
    public void finished() {
        List<Runnable> all = scheduled;
        scheduled = new ArrayList<Runnable>();
        if (all.size() != tests.size()) {
            return;
        }
        for (String next = Events.following(); next != null; next = Events.following()) {
            Integer child = owners.get(next);
            if (child == null) {
                return;
            }
            int before = Events.handedOut();
            if (tests.get(child)) {
                Events.taken();
            }
            all.get(child).run();
            if (Events.handedOut() == before) {
                // Its fixtures have failed: what was to run inside does not.
                for (String left = next; left != null && child.equals(owners.get(left)); left = Events.following()) {
                    Events.dropped();
                }
            }
        }
    }
}
