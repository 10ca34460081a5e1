// The state that ValuesTest writes to, one field for each test.
package values;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.DayOfWeek;
import java.util.Optional;

public class Values {
    static boolean flag;
    static byte small = 1;
    static short shorter = 2;
    static char letter = 'a';
    static int number = 4;
    static long bigger = 5;
    static float single = 6.5f;
    static double twice = 7.5;
    static String text = "before";
    static Integer box = 1000;
    static int counter;
    static long hits = 41;
    static String absent;
    static String present = "here";
    static Object replaced = new Point(1, 2);
    static Point point = new Point(1, 2);
    static double notANumber = Double.NaN;
    static double zero = 0.0;
    static final int[] FINAL = {1, 2, 3};

    static String equalText = "equal";
    static Integer equalBox = 100000;
    static Long equalLong = 100000L;
    static Double equalDouble = 2.5;
    static BigDecimal equalDecimal = new BigDecimal("12.50");
    static BigInteger equalInteger = new BigInteger("123456789012345678901234567890");
    static Class<?> mirror = String.class;
    static Point equalPoint = new Point(3, 4);

    static BigDecimal decimal = new BigDecimal("12.50");
    static BigInteger integer = BigInteger.TWO;
    static Class<?> otherMirror = String.class;
    static Optional<String> optional = Optional.empty();
    static DayOfWeek day = DayOfWeek.MONDAY;
    static DayOfWeek sameDay = DayOfWeek.MONDAY;

    static void load() {}

    static class Point {
        int x;
        int y;

        Point(int x, int y) {
            this.x = x;
            this.y = y;
        }
    }
}
