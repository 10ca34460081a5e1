// A reference to an enum constant is its name; a constant's own fields belong to the enum.
package values;

import java.util.ArrayList;
import java.util.List;
import org.junit.BeforeClass;
import org.junit.Test;

public class EnumTest {
    enum Level {
        LOW,
        HIGH;

        int used;
        final List<String> names = new ArrayList<>();
    }

    static Level level = Level.LOW;
    static Level[] levels = {Level.LOW, Level.HIGH};
    static Object holder = Level.HIGH;

    @BeforeClass
    public static void load() {
        Level.values();
    }

    @Test
    public void anotherConstant() { //~ passed
        level = Level.HIGH; //~ POLLUTES changed values.EnumTest.level: EnumTest$Level.LOW -> EnumTest$Level.HIGH
    }

    @Test
    public void anotherConstantInAnArray() { //~ passed
        levels[0] = Level.HIGH; //~ POLLUTES changed values.EnumTest.levels[0]: EnumTest$Level.LOW -> EnumTest$Level.HIGH
    }

    @Test
    public void fieldOfAConstant() { //~ passed
        Level.LOW.used = 1; //~ POLLUTES changed values.EnumTest$Level.LOW.used: 0 -> 1
    }

    @Test
    public void listOfAConstant() { //~ passed
        Level.HIGH.names.add("top"); //~ POLLUTES added values.EnumTest$Level.HIGH.names[0]; collection-grew
    }
}
