package poldet.shim;

import java.io.InputStream;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import java.util.ServiceLoader;
import java.util.Set;
import org.junit.platform.engine.ConfigurationParameters;
import org.junit.platform.engine.DiscoveryFilter;
import org.junit.platform.engine.DiscoverySelector;
import org.junit.platform.engine.EngineDiscoveryRequest;
import org.junit.platform.engine.EngineExecutionListener;
import org.junit.platform.engine.ExecutionRequest;
import org.junit.platform.engine.TestDescriptor;
import org.junit.platform.engine.TestEngine;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.UniqueId;
import org.junit.platform.engine.reporting.ReportEntry;

/** Runs tests through the platform's engines where the suite brings these but no launcher. */
final class Engines extends Driver {
    private final List<TestEngine> engines = new ArrayList<TestEngine>();
    private final Parameters parameters = new Parameters();

    @Override
    void begin() {
        for (TestEngine engine : ServiceLoader.load(TestEngine.class, Main.loader())) {
            engines.add(engine);
        }
        Hands.prepare();
    }

    @Override
    void run(String[] classNames) {
        Discovery discovery = new Discovery(Platform.selectors(classNames), parameters);
        List<TestDescriptor> roots = new ArrayList<TestDescriptor>();
        int count = 0;
        for (TestEngine engine : engines) {
            TestDescriptor root = null;
            try {
                root = engine.discover(discovery, UniqueId.forEngine(engine.getId()));
            } catch (Throwable problem) {
                Problems.ofClass(engine.getId(), problem);
            }
            roots.add(root);
        }
        String[] chosen = chosen(roots);
        for (TestDescriptor root : roots) {
            if (root == null) {
                continue;
            }
            try {
                if (chosen != null) {
                    arrange(root, chosen);
                }
                filter(root);
                for (TestDescriptor inside : root.getDescendants()) {
                    count += inside.isTest() ? 1 : 0;
                }
            } catch (Throwable problem) {
                Problems.ofClass(root.getUniqueId().toString(), problem);
            }
        }
        if (Events.listing()) {
            list(roots);
            return;
        }
        Events.planned(count);
        for (int i = 0; i < engines.size(); i++) {
            execute(engines.get(i), roots.get(i));
        }
        Events.dropRest();
    }

    /** The tests to run; null if these are all, or are handed out one by one. */
    private static String[] chosen(List<TestDescriptor> roots) {
        int sequence = Events.listing() ? Events.NO_SEQUENCE : Events.sequence();
        boolean handed = sequence == Events.ONE_BY_ONE;
        for (TestDescriptor root : roots) {
            for (TestDescriptor top : root == null ? Collections.<TestDescriptor>emptySet() : root.getChildren()) {
                handed &= Hands.can(top) || Descriptors.isVintage(top);
            }
        }
        return handed || sequence == Events.NO_SEQUENCE ? null : Events.rest();
    }

    private static void list(List<TestDescriptor> roots) {
        for (TestDescriptor root : roots) {
            if (root != null) {
                for (TestDescriptor inside : root.getDescendants()) {
                    place(inside).listed();
                }
            }
        }
    }

    private static void arrange(TestDescriptor root, String[] chosen) throws Exception {
        for (TestDescriptor top : new ArrayList<TestDescriptor>(root.getChildren())) {
            String id = top.getUniqueId().toString();
            if (Descriptors.holds(id, chosen)) {
                Descriptors.arrange(top, Descriptors.inside(id, chosen));
            } else {
                top.removeFromHierarchy();
            }
        }
    }

    private static void filter(TestDescriptor root) {
        if (Events.filtering()) {
            root.accept(new TestDescriptor.Visitor() {
                @Override
                public void visit(TestDescriptor descriptor) {
                    if (!place(descriptor).wanted()) {
                        descriptor.removeFromHierarchy();
                    }
                }
            });
        }
        root.accept(new TestDescriptor.Visitor() {
            @Override
            public void visit(TestDescriptor descriptor) {
                descriptor.prune();
            }
        });
    }

    private void execute(TestEngine engine, TestDescriptor root) {
        if (root == null || root.getChildren().isEmpty()) {
            return;
        }
        try {
            engine.execute(request(root, new Listener()));
        } catch (Throwable problem) {
            Problems.ofClass(engine.getId(), problem);
        }
    }

    /** Later releases want more than the constructor takes; what they want is made by their own classes. */
    private ExecutionRequest request(TestDescriptor root, EngineExecutionListener listener) throws Exception {
        for (Method method : ExecutionRequest.class.getMethods()) {
            if (method.getName().equals("create") && method.getParameterTypes().length == 5) {
                Class<?>[] types = method.getParameterTypes();
                Object store = types[4].getConstructors()[0].newInstance(new Object[] {null});
                return (ExecutionRequest) method.invoke(null, root, listener, parameters, null, store);
            }
        }
        return new ExecutionRequest(root, listener, parameters);
    }

    static Place place(TestDescriptor descriptor) {
        return new Place(descriptor.getUniqueId().toString(), descriptor.getDisplayName(), descriptor.isTest(),
                descriptor.getSource());
    }

    private static final class Discovery implements EngineDiscoveryRequest {
        private final List<DiscoverySelector> selectors;
        private final ConfigurationParameters parameters;

        Discovery(List<DiscoverySelector> selectors, ConfigurationParameters parameters) {
            this.selectors = selectors;
            this.parameters = parameters;
        }

        @Override
        public <T extends DiscoverySelector> List<T> getSelectorsByType(Class<T> type) {
            List<T> found = new ArrayList<T>();
            for (DiscoverySelector selector : selectors) {
                if (type.isInstance(selector)) {
                    found.add(type.cast(selector));
                }
            }
            return found;
        }

        @Override
        public <T extends DiscoveryFilter<?>> List<T> getFiltersByType(Class<T> type) {
            return new ArrayList<T>();
        }

        @Override
        public ConfigurationParameters getConfigurationParameters() {
            return parameters;
        }
    }

    /** System properties first, then the file the platform reads too. */
    private static final class Parameters implements ConfigurationParameters {
        private final Properties file = new Properties();

        Parameters() {
            try (InputStream in = Main.loader().getResourceAsStream("junit-platform.properties")) {
                if (in != null) {
                    file.load(in);
                }
            } catch (java.io.IOException unreadable) {
                file.clear();
            }
        }

        @Override
        public Optional<String> get(String key) {
            if (key.equals(Platform.PARALLEL) && Events.sequenced()) {
                return Optional.of("false");
            }
            String value = System.getProperty(key);
            return Optional.ofNullable(value != null ? value : file.getProperty(key));
        }

        @Override
        public Optional<Boolean> getBoolean(String key) {
            Optional<String> value = get(key);
            return value.isPresent() ? Optional.of(Boolean.parseBoolean(value.get())) : Optional.<Boolean>empty();
        }

        public int size() {
            return file.size();
        }

        public Set<String> keySet() {
            return file.stringPropertyNames();
        }
    }

    private static final class Listener implements EngineExecutionListener {
        @Override
        public void dynamicTestRegistered(TestDescriptor descriptor) {
        }

        @Override
        public void reportingEntryPublished(TestDescriptor descriptor, ReportEntry entry) {
        }

        @Override
        public void executionStarted(TestDescriptor descriptor) {
            place(descriptor).started();
        }

        @Override
        public void executionFinished(TestDescriptor descriptor, TestExecutionResult result) {
            place(descriptor).finished(result);
        }

        @Override
        public void executionSkipped(TestDescriptor descriptor, String reason) {
            if (descriptor.isTest() || !skipInside(descriptor, reason)) {
                place(descriptor).skipped(reason);
            }
        }

        private static boolean skipInside(TestDescriptor container, String reason) {
            if (Events.handing() && !Events.within(container.getUniqueId().toString())) {
                List<Place> places = new ArrayList<Place>();
                for (TestDescriptor descriptor : container.getDescendants()) {
                    places.add(place(descriptor));
                }
                Place.skipNext(place(container), places, reason);
                return true;
            }
            boolean any = false;
            for (TestDescriptor descriptor : container.getDescendants()) {
                Place place = place(descriptor);
                if (place.test || place.method != null) {
                    place.skipped(reason);
                    any = true;
                }
            }
            return any;
        }
    }
}
