package runners;

import org.junit.Test;

/** What the runner refuses is an error of the class. */
public class InvalidTest {
    //~ runners.InvalidTest#initializationError error Method takesAnArgument should have no parameters

    @Test
    public void takesAnArgument(int a) {}

    @Test
    public void fine() {}
}
