package inject;

import static org.junit.Assert.assertEquals;

import org.junit.BeforeClass;
import org.junit.Test;

/** A helper protects one test from what the other leaves. */
public class PathTest {
    static String testDir;

    @BeforeClass
    public static void initialize() {
        testDir = "/data";
    }

    @Test
    public void testWithStringAndConfForBuggyPath() {
        String dirString = "file:///tmp";
        testDir = dirString;
        assertEquals("file:///tmp", testDir);
    }

    @Test
    public void testAbsoluteGlob() {
        testDir = "/data";
        String found = testDir + "/d1";
        assertEquals("/data/d1", found);
    }
}
