package discovery;

import org.junit.Test;

/** The name ends in «test», not in «Test». */
public class Contest {
    @Test
    public void notFound() {
        throw new AssertionError("run by mistake");
    }
}
