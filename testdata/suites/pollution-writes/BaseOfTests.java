// A superclass whose method pollutes for the tests of its subclass.
package writes;

import java.util.ArrayList;
import java.util.List;

public abstract class BaseOfTests {
    protected static final List<String> seen = new ArrayList<>();
    protected static int calls;

    protected void record(String what) {
        seen.add(what); //~ POLLUTES writes.WritesTest#byTheSuperclass added writes.BaseOfTests.seen[0]: -> "sub"; collection-grew
    }
}
