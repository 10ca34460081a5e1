package bad;

import org.junit.runner.RunWith;

@RunWith(Forgets.class)
public class ForgottenTest {
    public void first() {} //~ error JUnit started this test and did not report its end

    public void second() {} //~ passed
}
