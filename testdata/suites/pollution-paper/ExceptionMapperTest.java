package paper;

import static org.junit.Assert.assertTrue;

import java.util.HashMap;
import java.util.LinkedHashMap;
import org.junit.BeforeClass;
import org.junit.Test;

public class ExceptionMapperTest {
    @BeforeClass
    public static void load() {
        assertTrue(ExceptionMapper.servletInstance.isEmpty());
    }

    @Test
    public void replacesTheEmptyMap() { //~ passed
        //~ CLEAN strictly
        ExceptionMapper.servletInstance = new HashMap<>();
    }

    @Test
    public void replacesTheFilledMap() { //~ passed
        //~ CLEAN strictly
        ExceptionMapper.filled = ExceptionMapper.filled();
    }

    @Test
    public void replacesByAnotherType() { //~ passed
        ExceptionMapper.otherType = new LinkedHashMap<>(); //~ POLLUTES replaced paper.ExceptionMapper.otherType: HashMap(0) -> LinkedHashMap(0)
    }
}
