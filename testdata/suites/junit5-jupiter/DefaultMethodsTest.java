package five;

import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;

/** Tests inherited from an interface. */
class DefaultMethodsTest implements Contract<String> {
    //~ five.DefaultMethodsTest#isEqualToItself passed

    @Override
    public String make() {
        return "made";
    }
}

interface Contract<T> {
    T make();

    @Test
    default void isEqualToItself() {
        Assertions.assertEquals(make(), make());
    }
}
