// Every way a value can be written is seen, with the line that did it.
package writes;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.util.Arrays;
import java.util.List;
import org.junit.BeforeClass;
import org.junit.Test;
import sun.misc.Unsafe;

public class WritesTest extends BaseOfTests {
    private static final MethodHandles.Lookup LOOKUP = MethodHandles.lookup();
    private static Unsafe unsafe;
    private static VarHandle varied;
    private static VarHandle compared;
    private static VarHandle elements;
    private static MethodHandle setter;
    private static MethodHandle boxSetter;
    private static byte[] serialised;

    /** Makes what the tests use, so that making it belongs to none of them. */ //~ FIXTURE any
    @BeforeClass
    public static void load() throws Throwable {
        Target.load();
        Field field = Unsafe.class.getDeclaredField("theUnsafe");
        field.setAccessible(true);
        unsafe = (Unsafe) field.get(null);
        varied = LOOKUP.findStaticVarHandle(Target.class, "varied", int.class);
        compared = LOOKUP.findStaticVarHandle(Target.class, "compared", int.class);
        elements = MethodHandles.arrayElementVarHandle(int[].class);
        setter = LOOKUP.findStaticSetter(Target.class, "handled", int.class);
        boxSetter = LOOKUP.findSetter(Target.Box.class, "value", int.class);
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(new Target.Reader());
        }
        serialised = bytes.toByteArray();
        new ObjectInputStream(new ByteArrayInputStream(serialised)).close();
        assertTrue(Constants.NAMES.isEmpty());
        List.of("warm").forEach(each -> assertEquals("warm", each));
    }

    @Test
    public void reflection() throws Exception { //~ passed
        Field field = Target.class.getDeclaredField("reflected");
        field.setInt(null, 4); //~ POLLUTES changed writes.Target.reflected: 0 -> 4
        Field value = Target.Box.class.getDeclaredField("value");
        value.set(Target.reflectedBox, 5); //~ POLLUTES changed writes.Target.reflectedBox.value: 1 -> 5
    }

    @Test
    public void methodHandles() throws Throwable { //~ passed
        setter.invokeExact(8); //~ POLLUTES changed writes.Target.handled: 0 -> 8
        boxSetter.invokeExact(Target.handledBox, 9); //~ POLLUTES changed writes.Target.handledBox.value: 1 -> 9
    }

    @Test
    public void varHandles() { //~ passed
        varied.setVolatile(3); //~ POLLUTES changed writes.Target.varied: 0 -> 3
        assertTrue(compared.compareAndSet(5, 6)); //~ POLLUTES changed writes.Target.compared: 5 -> 6
        int before = (int) elements.getAndAdd(Target.variedArray, 2, 10); //~ POLLUTES changed writes.Target.variedArray[2]: 0 -> 10
        assertEquals(0, before);
    }

    @Test
    public void compareAndSetThatFails() { //~ passed
        //~ CLEAN strictly
        assertEquals(false, compared.compareAndSet(-1, 100));
    }

    @Test
    public void unsafe() throws Exception { //~ passed
        long offset = unsafe.objectFieldOffset(Target.Box.class.getDeclaredField("value"));
        unsafe.putInt(Target.unsafeBox, offset, 12); //~ POLLUTES changed writes.Target.unsafeBox.value: 1 -> 12
        Field field = Target.class.getDeclaredField("unsafeStatic");
        unsafe.putInt(unsafe.staticFieldBase(field), unsafe.staticFieldOffset(field), 13); //~ POLLUTES changed writes.Target.unsafeStatic: 1 -> 13
    }

    @Test
    public void unsafeReferences() throws Exception { //~ passed
        long offset = unsafe.objectFieldOffset(Target.Box.class.getDeclaredField("link"));
        unsafe.putObject(Target.cloned, offset, "linked"); //~ POLLUTES changed writes.Target.cloned.link: null -> "linked"
    }

    @Test
    public void atomics() { //~ passed
        Target.atomicInt.incrementAndGet(); //~ POLLUTES changed writes.Target.atomicInt.value: 1 -> 2; counter
        Target.atomicLong.set(70); //~ POLLUTES changed writes.Target.atomicLong.value: 0 -> 70; counter
        Target.atomicReference.set("new"); //~ POLLUTES changed writes.Target.atomicReference.value: "old" -> "new"
        Target.atomicArray.set(1, 6); //~ POLLUTES changed writes.Target.atomicArray.array[1]: 0 -> 6
        Target.adder.add(3); //~ POLLUTES changed writes.Target.adder.base: 0 -> 3; counter
    }

    @Test
    public void arraycopy() { //~ passed
        System.arraycopy(Target.copied, 0, Target.copied, 1, 2); //~ POLLUTES changed writes.Target.copied[1]: 2 -> 1
        //~^ POLLUTES changed writes.Target.copied[2]: 3 -> 2
        System.arraycopy(new String[] {"x"}, 0, Target.copiedObjects, 2, 1); //~ POLLUTES changed writes.Target.copiedObjects[2]: "c" -> "x"
    }

    @Test
    public void fill() { //~ passed
        Arrays.fill(Target.filled, 2); //~ POLLUTES changed writes.Target.filled[0]: 1 -> 2
        //~^ POLLUTES changed writes.Target.filled[1]: 1 -> 2
    }

    @Test
    public void sort() { //~ passed
        Arrays.sort(Target.sorted); //~ POLLUTES changed writes.Target.sorted[0]: 2 -> 1
        //~^ POLLUTES changed writes.Target.sorted[1]: 1 -> 2
    }

    @Test
    public void reflectiveArrays() { //~ passed
        Array.set(Target.rows[1], 0, 30); //~ POLLUTES changed writes.Target.rows[1][0]: 3 -> 30
        "jvm".getChars(0, 1, Target.chars, 3); //~ POLLUTES changed writes.Target.chars[3]: 't' -> 'j'
    }

    @Test
    public void deserialisation() throws Exception { //~ passed
        try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(serialised))) {
            assertEquals(3, ((Target.Reader) in.readObject()).read);
        }
    }

    @Test
    public void builder() { //~ passed
        Target.log.append("line ").append(1); //~ POLLUTES changed writes.Target.log: StringBuilder("") -> StringBuilder("line 1")
    }

    @Test
    public void throughALambda() { //~ passed
        assertEquals(1, Target.ticket.getAsInt());
    }

    @Test
    public void capturedByALambda() { //~ passed
        Target.supplier.get().add("found"); //~ POLLUTES added writes.Target.supplier.arg$1[0]: -> "found"; collection-grew
    }

    @Test
    public void fromAnotherThread() throws Exception { //~ passed
        Thread thread = new Thread(() -> {
            Target.background = 1; //~ POLLUTES #fromAnotherThread changed writes.Target.background: 0 -> 1
            Target.backgroundList.add("x"); //~ POLLUTES #fromAnotherThread added writes.Target.backgroundList[0]: -> "x"
        });
        thread.start();
        thread.join();
    }

    @Test
    public void volatiles() { //~ passed
        Target.volatileLong = 5; //~ POLLUTES changed writes.Target.volatileLong: 0 -> 5
    }

    @Test
    public void inFinally() { //~ passed
        try {
            assertEquals(0, Target.fromFinally);
        } finally {
            Target.fromFinally = 1; //~ POLLUTES changed writes.Target.fromFinally: 0 -> 1
        }
    }

    @Test
    public void inAnInitializer() { //~ passed
        assertEquals(2, new Object() {
            final int set = Target.fromInitializer = 2; //~ POLLUTES changed writes.Target.fromInitializer: 0 -> 2
        }.set);
    }

    @Test
    public void lastOfManyWrites() { //~ passed
        for (int i = 1; i < 10; i++) {
            Target.recursive = i;
        }
        Target.recursive = 99; //~ POLLUTES changed writes.Target.recursive: 0 -> 99
    }

    /** Two lines that take turns, so often that not every stack is read whole. */
    @Test
    public void manyWritesInTurn() { //~ passed
        for (int i = 1; i < 3000; i++) {
            Target.inTurn = i;
            Target.inTurn = -i; //~ POLLUTES changed writes.Target.inTurn: 0 -> -2999
        }
    }

    /** The last write, whatever came before. */
    @Test
    public void writtenRestoredAndWrittenAgain() { //~ passed
        Target.again = 1;
        Target.again = 0;
        Target.again = 2;
        Target.again = 3; //~ POLLUTES changed writes.Target.again: 0 -> 3
    }

    @Test
    public void ofAnInterface() { //~ passed
        Constants.NAMES.add("n"); //~ POLLUTES added writes.Constants.NAMES[0]: -> "n"; collection-grew
        Constants.SIZES[0] = 9; //~ POLLUTES changed writes.Constants.SIZES[0]: 1 -> 9
    }

    @Test
    public void byTheSuperclass() { //~ passed
        record("sub");
    }

    @Test
    public void ofTheSuperclass() { //~ passed
        calls++; //~ POLLUTES changed writes.BaseOfTests.calls: 0 -> 1; counter
    }

    @Test
    public void copiesOnly() throws Exception { //~ passed
        //~ CLEAN strictly
        Target.Box copy = Target.unsafeBox.clone();
        copy.value = 1000;
        int[] mine = Target.copied.clone();
        Arrays.fill(mine, -1);
        System.arraycopy(Target.copied, 0, mine, 0, 4);
        assertEquals(4, mine.length);
    }
}
