package seq;

import org.junit.AfterClass;
import org.junit.BeforeClass;
import org.junit.Test;

public class BTest {
    @BeforeClass
    public static void open() {
        Story.add("B(");
    }

    @AfterClass
    public static void close() {
        Story.add(")");
    }

    @Test
    public void b1() {
        Story.test("b1");
    }

    @Test
    public void b2() {
        Story.test("b2");
    }

    @Test
    public void b3() {
        Story.test("b3");
    }
}
