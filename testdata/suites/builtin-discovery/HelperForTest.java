package discovery;

/** Named like a test, without one. */
public class HelperForTest {
    public void helps() {
        throw new AssertionError("run by mistake");
    }
}
