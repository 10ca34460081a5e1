package mixed;

/** One class with tests of both generations: each JUnit takes its own. */
public class BothTest {
    @org.junit.Test
    public void four() { //~ passed
    }

    @org.junit.jupiter.api.Test
    void five() { //~ passed
    }
}
