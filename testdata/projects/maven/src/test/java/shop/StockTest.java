package shop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class StockTest {
    @Test
    void leavesABook() {
        Stock.add("book");
        assertTrue(Stock.GOODS.contains("book"));
    }

    @Test
    void isConfiguredAsUnderSurefire() {
        assertEquals("yes", System.getProperty("from.argline"));
        assertEquals("yes", System.getProperty("from.surefire"));
        assertEquals("yes", System.getenv("FROM_SUREFIRE"));
        assertTrue(Files.exists(Path.of("pom.xml")));
        assertEquals(Path.of("").toAbsolutePath().toString(), System.getProperty("basedir"));
    }
}
