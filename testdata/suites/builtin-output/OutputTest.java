// What tests and class fixtures print is told from each other.
package output;

import static org.junit.Assert.fail;

import org.junit.AfterClass;
import org.junit.BeforeClass;
import org.junit.Test;

public class OutputTest {
    @BeforeClass
    public static void up() {
        System.out.println("fixture goes up");
    }

    @AfterClass
    public static void down() {
        System.err.println("fixture goes down");
    }

    @Test
    public void prints() { //~ passed
        System.out.println("a test on stdout ]]>");
        System.err.println("a test on stderr");
    }

    @Test
    public void printsAndFails() { //~ failed no
        System.out.println("before failing");
        fail("no");
    }
}
