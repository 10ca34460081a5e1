package bad;

import org.junit.jupiter.api.Test;

class InitTest {
    static final int VALUE = Integer.parseInt("seven");

    @Test
    void one() { //~ error java.lang.ExceptionInInitializerError
    }
}
