package poldet.shim;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import org.junit.platform.engine.DiscoverySelector;
import org.junit.platform.engine.FilterResult;
import org.junit.platform.engine.SelectorResolutionResult;
import org.junit.platform.engine.TestDescriptor;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.UniqueId;
import org.junit.platform.engine.discovery.ClassSelector;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.EngineDiscoveryResult;
import org.junit.platform.launcher.Launcher;
import org.junit.platform.launcher.LauncherDiscoveryListener;
import org.junit.platform.launcher.PostDiscoveryFilter;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.TestPlan;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/** Runs tests through the JUnit platform's launcher: all classes of a step as one plan, as Surefire does. */
final class Platform extends Driver {
    /** Whether Jupiter may run tests at the same time, which is no sequence. */
    static final String PARALLEL = "junit.jupiter.execution.parallel.enabled";

    private Launcher launcher;

    @Override
    void begin() {
        launcher = LauncherFactory.create();
        Hands.prepare();
    }

    @Override
    void run(String[] classNames) {
        List<DiscoverySelector> selectors = selectors(classNames);
        if (selectors.isEmpty()) {
            return;
        }
        LauncherDiscoveryRequestBuilder builder = LauncherDiscoveryRequestBuilder.request();
        builder.selectors(selectors);
        // A class that cannot be resolved is reported by the watcher and must not stop the others.
        builder.configurationParameter("junit.platform.discovery.listener.default", "logging");
        if (Events.sequenced()) {
            builder.configurationParameter(PARALLEL, "false");
        }
        Sequence sequence = new Sequence();
        builder.filters(sequence);
        if (Events.filtering()) {
            builder.filters(new Wanted());
        }
        watch(builder);
        if (Events.listing()) {
            list(launcher.discover(builder.build()));
        } else {
            launcher.execute(builder.build(), new Listener());
            Events.dropRest();
        }
        for (String id : sequence.singles()) {
            LauncherDiscoveryRequestBuilder single = LauncherDiscoveryRequestBuilder.request();
            single.selectors(Collections.<DiscoverySelector>singletonList(DiscoverySelectors.selectUniqueId(id)));
            launcher.execute(single.build(), new Listener());
        }
    }

    private static void list(TestPlan plan) {
        for (TestIdentifier root : plan.getRoots()) {
            for (TestIdentifier inside : plan.getDescendants(root)) {
                Listener.place(inside).listed();
            }
        }
    }

    static List<DiscoverySelector> selectors(String[] classNames) {
        List<DiscoverySelector> selectors = new ArrayList<DiscoverySelector>();
        String[] ids = Events.ids();
        if (ids != null) {
            for (String id : ids) {
                selectors.add(DiscoverySelectors.selectUniqueId(id));
            }
            return selectors;
        }
        for (String name : classNames) {
            Class<?> type = Main.load(name);
            if (type != null) {
                selectors.add(DiscoverySelectors.selectClass(type));
            }
        }
        return selectors;
    }

    /** Listeners of the discovery came with version 1.6. */
    private static void watch(LauncherDiscoveryRequestBuilder builder) {
        try {
            builder.listeners(new Watcher());
        } catch (LinkageError old) {
            return;
        }
    }

    private static final class Watcher implements LauncherDiscoveryListener {
        @Override
        public void selectorProcessed(UniqueId engineId, DiscoverySelector selector,
                SelectorResolutionResult result) {
            Throwable problem = result.getThrowable().orElse(null);
            if (problem != null && selector instanceof ClassSelector) {
                Problems.ofClass(((ClassSelector) selector).getClassName(), problem);
            }
        }

        @Override
        public void engineDiscoveryFinished(UniqueId engineId, EngineDiscoveryResult result) {
            Throwable problem = result.getThrowable().orElse(null);
            if (problem != null) {
                Problems.ofClass(engineId.toString(), problem);
            }
        }
    }

    /** Arranges what was found as the step's sequence has it. The first question comes when every engine has looked. */
    private static final class Sequence implements PostDiscoveryFilter {
        private boolean asked;
        private boolean handed;
        private String[] chosen;
        private boolean broken;

        @Override
        public FilterResult apply(TestDescriptor descriptor) {
            if (!asked) {
                asked = true;
                int sequence = Events.listing() ? Events.NO_SEQUENCE : Events.sequence();
                handed = sequence == Events.ONE_BY_ONE;
                chosen = sequence == Events.NO_SEQUENCE || handed ? null : Events.rest();
            }
            if (handed && Descriptors.isVintage(descriptor)) {
                return FilterResult.excluded("run by JUnit 4 itself");
            }
            if (handed && Descriptors.isTop(descriptor) && !Hands.can(descriptor)) {
                handed = false;
                chosen = Events.rest();
            }
            if (chosen == null) {
                return FilterResult.included("all are asked for");
            }
            String id = descriptor.getUniqueId().toString();
            if (!broken && Descriptors.isTop(descriptor) && Descriptors.holds(id, chosen)) {
                try {
                    Descriptors.arrange(descriptor, Descriptors.inside(id, chosen));
                } catch (Exception other) {
                    broken = true;
                }
            }
            boolean wanted = !broken && Descriptors.holds(Descriptors.plain(id), chosen);
            return wanted ? FilterResult.included("asked for") : FilterResult.excluded("not asked for");
        }

        /** What could not be arranged, to be run one by one. */
        String[] singles() {
            return broken ? chosen : new String[0];
        }
    }

    private static final class Wanted implements PostDiscoveryFilter {
        @Override
        public FilterResult apply(TestDescriptor descriptor) {
            boolean wanted = Engines.place(descriptor).wanted();
            return wanted ? FilterResult.included("asked for") : FilterResult.excluded("not asked for");
        }
    }

    private static final class Listener implements TestExecutionListener {
        private TestPlan plan;

        @Override
        public void testPlanExecutionStarted(TestPlan plan) {
            this.plan = plan;
            int count = 0;
            for (TestIdentifier root : plan.getRoots()) {
                for (TestIdentifier inside : plan.getDescendants(root)) {
                    count += inside.isTest() ? 1 : 0;
                }
            }
            Events.planned(count);
        }

        private static Place place(TestIdentifier identifier) {
            return new Place(identifier.getUniqueId(), identifier.getDisplayName(), identifier.isTest(),
                    identifier.getSource());
        }

        @Override
        public void executionStarted(TestIdentifier identifier) {
            place(identifier).started();
        }

        @Override
        public void executionFinished(TestIdentifier identifier, TestExecutionResult result) {
            place(identifier).finished(result);
        }

        @Override
        public void executionSkipped(TestIdentifier identifier, String reason) {
            if (identifier.isTest() || !skipInside(identifier, reason)) {
                place(identifier).skipped(reason);
            }
        }

        /** Names every test of a container that was given up; returns whether there was one. */
        private boolean skipInside(TestIdentifier container, String reason) {
            boolean any = false;
            Set<TestIdentifier> inside = plan.getDescendants(container);
            if (Events.handing() && !Events.within(container.getUniqueId())) {
                List<Place> places = new ArrayList<Place>();
                for (TestIdentifier identifier : inside) {
                    places.add(place(identifier));
                }
                Place.skipNext(place(container), places, reason);
                return true;
            }
            for (TestIdentifier identifier : inside) {
                Place place = place(identifier);
                if (place.test || place.method != null) {
                    place.skipped(reason);
                    any = true;
                }
            }
            return any;
        }
    }
}
