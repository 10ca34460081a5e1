package rules;

import static org.hamcrest.CoreMatchers.containsString;
import static org.hamcrest.CoreMatchers.equalTo;
import static org.hamcrest.CoreMatchers.is;
import static org.hamcrest.MatcherAssert.assertThat;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.io.File;
import java.io.FileWriter;
import java.util.concurrent.TimeUnit;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.ErrorCollector;
import org.junit.rules.ExpectedException;
import org.junit.rules.TemporaryFolder;
import org.junit.rules.TestName;
import org.junit.rules.Timeout;

public class RulesTest {
    @Rule public final TestName name = new TestName();
    @Rule public final TemporaryFolder folder = new TemporaryFolder();
    @Rule public final ErrorCollector errors = new ErrorCollector();
    @Rule public final Timeout timeout = new Timeout(5, TimeUnit.SECONDS);

    @SuppressWarnings("deprecation")
    @Rule
    public final ExpectedException thrown = ExpectedException.none();

    @Test
    public void knowsItsName() { //~ passed
        assertEquals("knowsItsName", name.getMethodName());
    }

    @Test
    public void writesToItsFolder() throws Exception { //~ passed
        File file = folder.newFile("a.txt");
        try (FileWriter out = new FileWriter(file)) {
            out.write("text");
        }
        assertEquals(4, file.length());
        assertTrue(folder.newFolder("b", "c").isDirectory());
    }

    @Test
    public void expectsAnException() { //~ passed
        thrown.expect(IllegalStateException.class);
        thrown.expectMessage(containsString("yes"));
        throw new IllegalStateException("yes, this one");
    }

    @Test
    public void expectsInVain() { //~ failed Expected test to throw an instance of java.lang.IllegalStateException
        thrown.expect(IllegalStateException.class);
    }

    @Test
    public void collectsOne() { //~ failed collected
        errors.checkThat("collected", 1, equalTo(2));
    }

    @Test
    public void collectsTwo() { //~ error first
        errors.addError(new IllegalStateException("first"));
        errors.addError(new IllegalStateException("second"));
    }

    @Test
    public void takesTooLong() throws Exception { //~ error test timed out after 5 seconds
        Thread.sleep(100_000);
    }

    @Test
    public void matches() { //~ failed Expected: is <1>
        assertThat(2, is(1));
    }
}
