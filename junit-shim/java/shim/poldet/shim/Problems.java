package poldet.shim;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;

/** Exceptions as the report shows them. */
final class Problems {
    /** The most causes that are followed: a chain of causes may be a ring. */
    private static final int MOST_CAUSES = 64;
    private static final int LONGEST_CHAIN = 200;

    private Problems() {
    }

    /** Failed or error: an assertion of any JUnit, or something else. */
    static int kind(Throwable problem) {
        if (problem instanceof AssertionError) {
            return Events.ASSERTION;
        }
        // JUnit 3's own is not an AssertionError before JUnit 4.
        for (Class<?> c = problem.getClass(); c != null; c = c.getSuperclass()) {
            if (c.getName().equals("junit.framework.AssertionFailedError")) {
                return Events.ASSERTION;
            }
        }
        return Events.ERROR;
    }

    static String message(Throwable problem) {
        try {
            return problem.getMessage();
        } catch (Throwable broken) {
            return null;
        }
    }

    /** What poldet could not do, so that the exception or one of its causes was thrown; null if it was nothing. */
    private static String limit(Throwable problem) {
        try {
            Throwable at = problem;
            for (int i = 0; at != null && i < MOST_CAUSES; i++) {
                String limit = Events.limit(at);
                if (limit != null) {
                    return limit;
                }
                at = at.getCause();
            }
        } catch (Throwable broken) {
            return null;
        }
        return null;
    }

    /** All lines of the stack trace with its causes; the exception's own class may be broken. */
    static String[] stack(Throwable problem) {
        try {
            StringWriter text = new StringWriter();
            PrintWriter out = new PrintWriter(text);
            problem.printStackTrace(out);
            out.flush();
            return lines(text.toString());
        } catch (Throwable broken) {
            return new String[] {problem.getClass().getName()};
        }
    }

    /** The exception, its causes and what they suppressed; null where nobody asks for them. */
    private static Throwable[] chain(Throwable problem) {
        if (!Events.sanitising()) {
            return null;
        }
        Set<Throwable> seen = Collections.newSetFromMap(new IdentityHashMap<Throwable, Boolean>());
        List<Throwable> chain = new ArrayList<Throwable>();
        chain.add(problem);
        seen.add(problem);
        for (int i = 0; i < chain.size() && i < LONGEST_CHAIN; i++) {
            for (Throwable next : inside(chain.get(i))) {
                if (next != null && seen.add(next)) {
                    chain.add(next);
                }
            }
        }
        return chain.toArray(new Throwable[0]);
    }

    private static List<Throwable> inside(Throwable problem) {
        List<Throwable> inside = new ArrayList<Throwable>();
        try {
            inside.add(problem.getCause());
            Collections.addAll(inside, problem.getSuppressed());
            for (Class<?> c = problem.getClass(); c != null; c = c.getSuperclass()) {
                if (c.getName().equals("org.opentest4j.MultipleFailuresError")) {
                    for (Object failure : (List<?>) c.getMethod("getFailures").invoke(problem)) {
                        inside.add((Throwable) failure);
                    }
                }
            }
        } catch (Throwable broken) {
            // What it would have said is not known.
            return inside;
        }
        return inside;
    }

    private static String[] lines(String text) {
        List<String> lines = new ArrayList<String>();
        int from = 0;
        for (int i = 0; i <= text.length(); i++) {
            if (i == text.length() || text.charAt(i) == '\n') {
                int to = i > from && text.charAt(i - 1) == '\r' ? i - 1 : i;
                if (i < text.length() || to > from) {
                    lines.add(text.substring(from, to));
                }
                from = i + 1;
            }
        }
        return lines.toArray(new String[0]);
    }

    static void report(String root, String id, String type, String method, String parameters, String display,
            Throwable problem, boolean assumption) {
        String limit = limit(problem);
        int kind = limit != null ? Events.LIMIT : assumption ? Events.ASSUMPTION : kind(problem);
        Events.failure(root, id, type, method, parameters, display, kind, problem.getClass().getName(),
                limit != null ? limit : message(problem), stack(problem), chain(problem));
    }

    /** A class that cannot be inspected. */
    static void ofClass(String name, Throwable problem) {
        report(name, name, name, null, null, name, problem, false);
    }
}
