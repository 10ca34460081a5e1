package nio;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.Test;

/** Stale ids in a static map: figure 8 of the paper; with an unrelated change beside it that is no cause. */
public class JobsTest {
    private static final Map<Integer, String> fileMap = new HashMap<Integer, String>();
    private static final List<String> log = new ArrayList<String>();
    private static final Set<String> seen = new HashSet<String>();

    //~ nio nio.JobsTest.fileMap
    @Test
    public void closesEachJob() {
        log.add("started");
        int id = 7 + fileMap.size();
        fileMap.put(id, "job");
        assertEquals(1, fileMap.size());
    }

    //~ idempotent
    @Test
    public void addsAndRemoves() {
        assertTrue(seen.add("x"));
        seen.remove("x");
    }

    //~ idempotent
    @Test
    public void addsWhatMayBeThere() {
        log.add("again");
        assertTrue(log.contains("again"));
    }
}
