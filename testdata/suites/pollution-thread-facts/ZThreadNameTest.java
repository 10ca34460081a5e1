// The last class: a thread is reported by the name that it had before.
package facts;

import org.junit.Test;

public class ZThreadNameTest {
    @Test
    public void name() { //~ passed
        Thread.currentThread().setName("renamed"); //~ POLLUTES changed thread "main".name: "main" -> "renamed"
    }
}
