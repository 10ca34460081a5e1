package poldet.shim;

/** Reports and questions to the driver outside the VM. The bodies are natives of poldet's. */
final class Events {
    static final int ASSERTION = 0;
    static final int ERROR = 1;
    static final int ASSUMPTION = 2;
    static final int LIMIT = 3;

    private Events() {
    }

    /** How the tests of this step are to be run: "platform", "engines", "junit4" or "junit3". */
    static native String mode();

    /** The classes to run next, together, in this order; null when nothing is left. */
    static native String[] next();

    /** The ids of platform tests to run in this step instead of whole classes; null when there are none. */
    static native String[] ids();

    /** The step is no sequence of tests; its tests are handed out one by one; they are given at once. */
    static final int NO_SEQUENCE = 0;
    static final int ONE_BY_ONE = 1;

    /** Whether the step is a sequence of tests. */
    static native boolean sequenced();

    /**
     * How the tests of the step's class are to run. Asked when they are known: the VM may be forked here, and each child goes
     * on with tests of its own.
     */
    static native int sequence();

    /** Whether tests are handed out one by one. */
    static native boolean handing();

    /**
     * The next test to run, until it is taken; null when the run of the class is to end. Asked first when the fixtures of the
     * class have run. The VM may be forked here.
     */
    static native String following();

    /** The next test runs now. */
    static native void taken();

    /** The test that was taken has ended. */
    static native void returned();

    /** The next test does not run: a fixture around it has failed. */
    static native void dropped();

    /** Nothing more runs in this step. */
    static native void dropRest();

    /** How many tests were taken or dropped so far. */
    static native int handedOut();

    /** Whether a container of the platform was taken that holds this one. */
    static native boolean within(String id);

    /** All tests that are left, to be run in this order; one may stand there more than once. None is handed out after that. */
    static native String[] rest();

    /** Whether nothing but tests of these, which are ignored, is to run. */
    static native boolean idle(String[] ignored);

    /** A shallow copy of any object. */
    static native Object copy(Object original);

    /** Whether tests must be asked for one by one. */
    static native boolean filtering();

    /** Whether tests are wanted in an order of their own. */
    static native boolean ordering();

    /** Should this test run? `root` is the class it was found from; what is not known is null. */
    static native boolean wanted(String root, String id, String type, String method, String parameters);

    /** The place of a test in the order asked for. */
    static native int rank(String root, String id);

    /** Work on a class begins: whatever happens now is its affair. */
    static native void classStarted(String name);

    /** Nothing of this class is left to run. */
    static native void classFinished(String name);

    /** This many tests are about to run, as far as it is known. */
    static native void planned(int tests);

    static native void started(String root, String id, String type, String method, String parameters,
            String display);

    /** A problem of a test, or of a container when no test of this id has started. */
    static native void failure(String root, String id, String type, String method, String parameters,
            String display, int kind, String exception, String message, String[] stack, Throwable[] chain);

    /** Whether failures are put down to assumptions: then `failure` wants the exception with all its causes. */
    static native boolean sanitising();

    /** Names of more exceptions that say that there is no network. */
    static native void networkExceptions(String[] names);

    /** Something that whoever runs the suite should know. */
    static native void warning(String what);

    /** What poldet could not do, so that this exception was thrown; null if it was for another reason. */
    static native String limit(Throwable problem);

    static native void finished(String root, String id);

    /** A container of tests begins; what happens in it outside of tests is its affair. */
    static native void containerStarted(String id, String type, String method);

    static native void containerFinished(String id);

    static native void skipped(String root, String id, String type, String method, String parameters,
            String display, String reason);

    /** Whether tests are only to be named. */
    static native boolean listing();

    /** A test that could be run, or a container whose tests are known only when it runs. */
    static native void listed(String root, String id, String type, String method, String parameters,
            String display, boolean container);

    /** JUnit itself came to its end by an exception, whose stack trace this is. */
    static native void broken(String[] stack);

    /** All is done; what follows is only the VM's end. */
    static native void done();
}
