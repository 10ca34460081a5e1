// Static fields of every type: another value pollutes, an equal value does not.
package values;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNotSame;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.DayOfWeek;
import java.util.Optional;
import org.junit.BeforeClass;
import org.junit.Test;

public class ValuesTest {
    private int mine;
    private final int[] array = new int[2];

    @BeforeClass
    public static void load() {
        Values.load();
    }

    @Test
    public void booleans() { //~ passed
        Values.flag = true; //~ POLLUTES changed values.Values.flag: false -> true; state, suite
    }

    @Test
    public void bytes() { //~ passed
        Values.small = -128; //~ POLLUTES changed values.Values.small: 1 -> -128
    }

    @Test
    public void shorts() { //~ passed
        Values.shorter = 300; //~ POLLUTES changed values.Values.shorter: 2 -> 300
    }

    @Test
    public void chars() { //~ passed
        Values.letter = 'z'; //~ POLLUTES changed values.Values.letter: 'a' -> 'z'
    }

    @Test
    public void ints() { //~ passed
        Values.number = -7; //~ POLLUTES changed values.Values.number: 4 -> -7
    }

    @Test
    public void longs() { //~ passed
        Values.bigger = 1L << 40; //~ POLLUTES changed values.Values.bigger: 5 -> 1099511627776
    }

    @Test
    public void floats() { //~ passed
        Values.single = 0.25f; //~ POLLUTES changed values.Values.single: 6.5 -> 0.25
    }

    @Test
    public void doubles() { //~ passed
        Values.twice = -1.5; //~ POLLUTES changed values.Values.twice: 7.5 -> -1.5
    }

    @Test
    public void strings() { //~ passed
        Values.text = "after"; //~ POLLUTES changed values.Values.text: "before" -> "after"
    }

    @Test
    public void boxes() { //~ passed
        Values.box = 2000; //~ POLLUTES changed values.Values.box: 1000 -> 2000
    }

    @Test
    public void counters() { //~ passed
        Values.counter++; //~ POLLUTES changed values.Values.counter: 0 -> 1; counter
    }

    @Test
    public void countersRaisedTwice() { //~ passed
        Values.hits++;
        Values.hits++; //~ POLLUTES changed values.Values.hits: 41 -> 43; counter
    }

    @Test
    public void nullBecomesSomething() { //~ passed
        Values.absent = "made"; //~ POLLUTES changed values.Values.absent: null -> "made"; state
    }

    @Test
    public void somethingBecomesNull() { //~ passed
        Values.present = null; //~ POLLUTES changed values.Values.present: "here" -> null; state
    }

    @Test
    public void anotherObject() { //~ passed
        Values.replaced = new StringBuilder("x"); //~ POLLUTES replaced values.Values.replaced; state
    }

    @Test
    public void fieldOfAnObject() { //~ passed
        Values.point.y = 9; //~ POLLUTES changed values.Values.point.y: 2 -> 9
    }

    @Test
    public void anotherDecimal() { //~ passed
        Values.decimal = Values.decimal.add(BigDecimal.ONE); //~ POLLUTES changed values.Values.decimal: 12.50 -> 13.50
    }

    @Test
    public void anotherBigInteger() { //~ passed
        Values.integer = Values.integer.shiftLeft(3); //~ POLLUTES changed values.Values.integer: 2 -> 16
    }

    @Test
    public void anotherClass() { //~ passed
        Values.otherMirror = Integer.class; //~ POLLUTES changed values.Values.otherMirror
    }

    @Test
    public void anotherEnumConstant() { //~ passed
        Values.day = DayOfWeek.FRIDAY; //~ POLLUTES changed values.Values.day: DayOfWeek.MONDAY -> DayOfWeek.FRIDAY
    }

    @Test
    public void sameEnumConstant() { //~ passed
        //~ CLEAN strictly
        Values.sameDay = DayOfWeek.valueOf("MONDAY");
    }

    @Test
    public void elementOfAFinalArray() { //~ passed
        Values.FINAL[1] = 20; //~ POLLUTES changed values.Values.FINAL[1]: 2 -> 20
    }

    @Test
    public void minusZeroIsAnotherValue() { //~ passed
        Values.zero = -0.0; //~ POLLUTES changed values.Values.zero: 0.0 -> -0.0
    }

    @Test
    public void notANumberIsItself() { //~ passed
        //~ CLEAN strictly
        Values.notANumber = 0.0 / Values.zero;
    }

    @Test
    public void equalValues() { //~ passed
        //~ CLEAN strictly
        String text = new String("equal");
        assertNotSame(Values.equalText, text);
        Values.equalText = text;
        Values.equalBox = Integer.valueOf(100000);
        Values.equalLong = Long.valueOf(100000);
        Values.equalDouble = Double.valueOf(2.5);
        Values.equalDecimal = new BigDecimal("12.50");
        Values.equalInteger = new BigInteger("123456789012345678901234567890");
        Values.mirror = "".getClass();
    }

    @Test
    public void equalObjects() { //~ passed
        //~ CLEAN strictly
        Values.equalPoint = new Values.Point(3, 4);
    }

    @Test
    public void changedAndThenReplacedByAnEqualObject() { //~ passed
        //~ CLEAN strictly
        Values.equalPoint.x = 9;
        Values.equalPoint = new Values.Point(3, 4);
    }

    @Test
    public void aHashThatIsKept() { //~ passed
        //~ CLEAN strictly
        assertEquals("equal".hashCode(), Values.equalText.hashCode());
        assertEquals(new BigDecimal("12.50").toString(), Values.equalDecimal.toString());
    }

    @Test
    public void writtenAndRestored() { //~ passed
        //~ CLEAN strictly
        int before = Values.number;
        Values.number = 12345;
        Values.number = before;
        Values.point.x += 5;
        Values.point.x -= 5;
        String text = Values.text;
        Values.text = "for a while";
        Values.text = text;
    }

    @Test
    public void ownFields() { //~ passed
        //~ CLEAN strictly
        mine = 17;
        array[1] = 18;
        assertEquals(35, mine + array[1]);
    }

    @Test
    public void optionals() { //~ passed
        Values.optional = Optional.of("x"); //~ POLLUTES replaced values.Values.optional: Optional{} -> Optional{value="x"}
    }

    @Test
    public void onlyReads() { //~ passed
        //~ CLEAN strictly
        assertEquals(Values.flag, Values.flag);
        assertEquals("equal", Values.equalText);
    }
}
