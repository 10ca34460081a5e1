// Parts of the class library that set themselves up when first used, or keep a note of what they did last: no program can tell.
package none;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNotNull;
import static org.junit.Assert.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.StringReader;
import java.io.Writer;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.spi.FileSystemProvider;
import java.text.DecimalFormat;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Currency;
import java.util.List;
import java.util.Locale;
import java.util.TimeZone;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import javax.net.ssl.SSLContext;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.Test;
import org.xml.sax.InputSource;

public class FirstUseTest {
    static final DecimalFormat FORMAT = new DecimalFormat("0.00");
    static final ReentrantReadWriteLock LOCK = new ReentrantReadWriteLock();
    static final Writer NOWHERE = new Nowhere();

    @Test
    public void localePutBack() { //~ passed
        //~ CLEAN
        Locale before = Locale.getDefault();
        Locale.setDefault(new Locale("tr"));
        Locale.setDefault(before);
    }

    @Test
    public void timeZonePutBack() { //~ passed
        //~ CLEAN
        TimeZone before = TimeZone.getDefault();
        TimeZone.setDefault(TimeZone.getTimeZone("Asia/Tokyo"));
        TimeZone.setDefault(before);
    }

    @Test
    public void digitsOfAFormat() { //~ passed
        //~ CLEAN
        assertEquals(4, FORMAT.format(3.25).length());
        assertEquals(6, FORMAT.format(125.5).length());
    }

    @Test
    public void bufferOfAWriter() throws IOException { //~ passed
        //~ CLEAN
        NOWHERE.write('x');
    }

    @Test
    public void firstReaderOfALock() { //~ passed
        //~ CLEAN
        LOCK.readLock().lock();
        LOCK.readLock().unlock();
    }

    @Test
    public void powersOfTen() { //~ passed
        //~ CLEAN
        assertEquals(500, BigDecimal.ONE.divide(new BigDecimal(3), 500, RoundingMode.HALF_UP).scale());
    }

    @Test
    public void currencies() { //~ passed
        //~ CLEAN
        assertEquals(2, Currency.getInstance("CHF").getDefaultFractionDigits());
    }

    @Test
    public void rulesOfAZone() { //~ passed
        //~ CLEAN
        assertEquals(9 * 3600, ZoneId.of("Asia/Tokyo").getRules().getOffset(Instant.EPOCH).getTotalSeconds());
        assertNotNull(DateTimeFormatter.RFC_1123_DATE_TIME.parse("Tue, 3 Jun 2008 11:05:30 GMT"));
    }

    @Test
    public void serialization() throws Exception { //~ passed
        //~ CLEAN
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(new ArrayList<>(List.of("a", "b")));
        }
        try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
            assertEquals(List.of("a", "b"), in.readObject());
        }
    }

    @Test
    public void loggerOfTheSystem() { //~ passed
        //~ CLEAN
        assertEquals("none.first", System.getLogger("none.first").getName());
    }

    @Test
    public void numberOfAScheduledTask() throws Exception { //~ passed
        //~ CLEAN
        ScheduledThreadPoolExecutor pool = new ScheduledThreadPoolExecutor(1);
        assertEquals("done", pool.schedule(() -> "done", 1, TimeUnit.MILLISECONDS).get());
        pool.shutdown();
        assertTrue(pool.awaitTermination(10, TimeUnit.SECONDS));
    }

    @Test
    public void codersOfTheThread() { //~ passed
        //~ CLEAN
        for (String text : new String[] {"a", "b\u00e9"}) {
            assertEquals(text, StandardCharsets.ISO_8859_1.decode(StandardCharsets.ISO_8859_1.encode(text)).toString());
            assertEquals(text, StandardCharsets.UTF_8.decode(StandardCharsets.UTF_8.encode(text)).toString());
        }
    }

    @Test
    public void codersOfTheThreadAgain() { //~ passed
        //~ CLEAN
        assertEquals(1, StandardCharsets.US_ASCII.encode("a").limit());
        assertEquals(2, StandardCharsets.UTF_8.encode("ab").limit());
    }

    @Test
    public void resourceOfTheRuntime() { //~ passed
        //~ CLEAN
        assertEquals("jrt", Object.class.getResource("Object.class").getProtocol());
    }

    @Test
    public void fileSystemProviders() { //~ passed
        //~ CLEAN
        assertTrue(FileSystemProvider.installedProviders().size() > 1);
    }

    @Test
    public void addressesOfThisMachine() { //~ passed
        //~ CLEAN
        assertTrue(InetAddress.getLoopbackAddress().isLoopbackAddress());
        assertTrue(new InetSocketAddress(80).getAddress().isAnyLocalAddress());
    }

    @Test
    public void xml() throws Exception { //~ passed
        //~ CLEAN
        InputSource text = new InputSource(new StringReader("<a b='c'/>"));
        assertEquals("a", DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(text).getDocumentElement().getTagName());
    }

    @Test
    public void defaultContext() throws Exception { //~ passed
        //~ CLEAN
        assertEquals("Default", SSLContext.getDefault().getProtocol());
    }

    static class Nowhere extends Writer {
        @Override
        public void write(char[] from, int start, int count) {}

        @Override
        public void flush() {}

        @Override
        public void close() {}
    }
}
