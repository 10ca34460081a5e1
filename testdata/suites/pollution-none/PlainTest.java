// Ordinary tests that leave nothing behind, whatever of the class library they use.
package none;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.StringJoiner;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.Test;

public class PlainTest {
    static final int[] FIXED = {3, 1, 2};
    static final Map<String, Integer> NUMBERS = Map.of("one", 1, "two", 2);

    @Test
    public void adds() { //~ passed
        //~ CLEAN
        assertEquals(4, 2 + 2);
    }

    @Test
    public void localCollections() { //~ passed
        //~ CLEAN
        Map<String, List<Integer>> map = new HashMap<>();
        for (int i = 0; i < 1000; i++) {
            map.computeIfAbsent("k" + i % 10, k -> new ArrayList<>()).add(i);
        }
        assertEquals(100, map.get("k3").size());
        assertEquals("k0", new TreeMap<>(map).firstKey());
    }

    @Test
    public void copies() { //~ passed
        //~ CLEAN
        int[] sorted = FIXED.clone();
        Arrays.sort(sorted);
        assertArrayEquals(new int[] {1, 2, 3}, sorted);
        assertEquals(3, FIXED[0]);
    }

    @Test
    public void reads() { //~ passed
        //~ CLEAN
        int sum = 0;
        for (int n : NUMBERS.values()) {
            sum += n;
        }
        assertEquals(3, sum);
        assertTrue(NUMBERS.keySet().contains("one"));
    }

    @Test
    public void strings() { //~ passed
        //~ CLEAN
        StringJoiner joiner = new StringJoiner(", ", "[", "]");
        for (String word : "a b c".split(" ")) {
            joiner.add(word.toUpperCase());
        }
        assertEquals("[A, B, C]", joiner.toString());
        assertEquals("ab".repeat(2), new StringBuilder("baba").reverse().toString());
        String made = "x" + joiner.length() + 'c' + 2.5;
        assertEquals("x9c2.5", made);
    }

    @Test
    public void formats() { //~ passed
        //~ CLEAN
        assertEquals("007 1.50 x", String.format("%03d %.2f %s", 7, 1.5, "x"));
    }

    @Test
    public void expressions() { //~ passed
        //~ CLEAN
        Matcher matcher = Pattern.compile("(\\w+)@(\\w+)\\.org").matcher("mail some@where.org");
        assertTrue(matcher.find());
        assertEquals("some", matcher.group(1));
    }

    @Test
    public void streams() { //~ passed
        //~ CLEAN
        assertEquals(285, IntStream.range(0, 10).map(i -> i * i).sum());
        List<String> words = List.of("pear", "fig", "apple");
        assertEquals("fig,pear,apple",
                words.stream().sorted(Comparator.comparing(String::length)).collect(Collectors.joining(",")));
        assertEquals(2, words.stream().collect(Collectors.groupingBy(w -> w.length() > 3)).size());
    }

    @Test
    public void lambdas() throws Exception { //~ passed
        //~ CLEAN
        int[] count = {0};
        Runnable raise = () -> count[0]++;
        raise.run();
        Callable<Integer> get = () -> count[0];
        assertEquals(1, (int) get.call());
    }

    @Test
    public void bigNumbers() { //~ passed
        //~ CLEAN
        assertEquals("2432902008176640000", factorial(20).toString());
        assertEquals(new BigDecimal("0.33"), BigDecimal.ONE.divide(new BigDecimal(3), 2, java.math.RoundingMode.DOWN));
    }

    private static BigInteger factorial(int n) {
        return n == 0 ? BigInteger.ONE : BigInteger.valueOf(n).multiply(factorial(n - 1));
    }

    @Test
    public void exceptions() { //~ passed
        //~ CLEAN
        NumberFormatException thrown = assertThrows(NumberFormatException.class, () -> Integer.parseInt("x"));
        assertTrue(thrown.getStackTrace().length > 0);
    }

    @Test
    public void dates() { //~ passed
        //~ CLEAN
        assertEquals(LocalDate.of(2024, 3, 1), LocalDate.parse("2024-02-29").plusDays(1));
        assertEquals("PT1H30M", Duration.ofMinutes(90).toString());
    }

    @Test
    public void encodings() { //~ passed
        //~ CLEAN
        byte[] bytes = "grün".getBytes(StandardCharsets.UTF_8);
        assertEquals(5, bytes.length);
        assertEquals("Z3LDvG4=", Base64.getEncoder().encodeToString(bytes));
    }

    @Test
    public void seededRandom() { //~ passed
        //~ CLEAN
        assertEquals(new Random(5).nextInt(), new Random(5).nextInt());
    }

    @Test
    public void threads() throws Exception { //~ passed
        //~ CLEAN
        AtomicInteger sum = new AtomicInteger();
        CountDownLatch done = new CountDownLatch(3);
        for (int i = 0; i < 3; i++) {
            new Thread(() -> {
                sum.incrementAndGet();
                done.countDown();
            }).start();
        }
        done.await();
        assertEquals(3, sum.get());
    }

    @Test
    public void prints() { //~ passed
        //~ CLEAN
        System.out.println("a line");
    }

    @Test
    public void reflects() throws Exception { //~ passed
        //~ CLEAN
        assertEquals(3, String.class.getMethod("length").invoke("abc"));
        assertEquals("none.PlainTest", Class.forName("none.PlainTest").getName());
    }

    @Test
    public void waits() throws Exception { //~ passed
        //~ CLEAN
        long before = System.nanoTime();
        Thread.sleep(5);
        assertTrue(System.nanoTime() > before);
        assertTrue(System.currentTimeMillis() > 0);
    }
}
