package poldet.shim;

import java.util.List;
import java.util.Optional;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.TestSource;
import org.junit.platform.engine.support.descriptor.ClassSource;
import org.junit.platform.engine.support.descriptor.MethodSource;

/** A test or container of the JUnit platform, by what names it. */
final class Place {
    final String id;
    final String display;
    final boolean test;
    final String type;
    final String method;
    final String parameters;

    Place(String id, String display, boolean test, Optional<TestSource> source) {
        this.id = Descriptors.plain(id);
        this.display = display;
        this.test = test;
        TestSource from = source.orElse(null);
        if (from instanceof MethodSource) {
            MethodSource at = (MethodSource) from;
            type = at.getClassName();
            method = at.getMethodName();
            parameters = at.getMethodParameterTypes();
        } else {
            type = from instanceof ClassSource ? ((ClassSource) from).getClassName() : null;
            method = null;
            parameters = null;
        }
    }

    boolean wanted() {
        return !(test || method != null) || Events.wanted(null, id, type, method, parameters);
    }

    void started() {
        if (test) {
            Events.started(null, id, type, method, parameters, display);
        } else {
            Events.containerStarted(id, type, method);
        }
    }

    void skipped(String reason) {
        Events.skipped(null, id, type, method, parameters, display, reason);
    }

    /** Those of the tests to run next that are inside a container which was given up are skipped, in their order. */
    static void skipNext(Place container, List<Place> inside, String reason) {
        for (String next = Events.following(); next != null; next = Events.following()) {
            if (!Descriptors.isIn(next, container.id)) {
                return;
            }
            Place skipped = container;
            for (Place place : inside) {
                boolean names = place.test || place.method != null;
                if (names && Descriptors.isIn(next, place.id) && place.id.length() > skipped.id.length()) {
                    skipped = place;
                }
            }
            Events.taken();
            skipped.skipped(reason);
            Events.returned();
        }
    }

    void listed() {
        if (test || method != null) {
            Events.listed(null, id, type, method, parameters, display, !test);
        }
    }

    void finished(TestExecutionResult result) {
        boolean aborted = result.getStatus() == TestExecutionResult.Status.ABORTED;
        Throwable problem = result.getThrowable().orElse(null);
        if (result.getStatus() != TestExecutionResult.Status.SUCCESSFUL) {
            if (problem == null) {
                problem = new AssertionError("no exception was given");
            }
            Problems.report(null, id, type, method, parameters, display, problem, aborted);
        }
        if (test) {
            Events.finished(null, id);
        } else {
            Events.containerFinished(id);
        }
    }
}
