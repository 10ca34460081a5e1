package seq;

import org.junit.AfterClass;
import org.junit.BeforeClass;
import org.junit.Test;

public class ATest {
    @BeforeClass
    public static void open() {
        Story.add("A(");
    }

    @AfterClass
    public static void close() {
        Story.add(")");
    }

    @Test
    public void a1() {
        Story.test("a1");
    }

    @Test
    public void a2() {
        Story.test("a2");
    }

    @Test
    public void a3() {
        Story.test("a3");
    }
}
