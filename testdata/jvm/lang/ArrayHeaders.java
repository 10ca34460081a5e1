// skip-stderr
// What lies before the elements of an array is read by programs that search backwards through memory.
import java.lang.reflect.Field;
import java.util.Arrays;
import sun.misc.Unsafe;

public class ArrayHeaders {
    public static void main(String[] args) throws Exception {
        Field field = Unsafe.class.getDeclaredField("theUnsafe");
        field.setAccessible(true);
        Unsafe unsafe = (Unsafe) field.get(null);
        byte[] digits = "0123456789".getBytes("US-ASCII");
        long first = unsafe.arrayBaseOffset(byte[].class);
        System.out.println("elements from " + first);
        System.out.println("length " + unsafe.getInt(digits, first - 4));
        System.out.println("byte before " + unsafe.getByte(digits, first - 1));
        System.out.println("short " + Integer.toHexString(unsafe.getShort(digits, first - 1)));
        System.out.println("int " + Integer.toHexString(unsafe.getInt(digits, first - 3)));
        System.out.println("long " + Long.toHexString(unsafe.getLong(digits, first - 1)));
        System.out.println("not hashed " + unsafe.getLong(digits, 0));
        int hash = System.identityHashCode(digits);
        long word = unsafe.getLong(digits, 0);
        System.out.println("hashed " + (word >>> 8 == hash || word >>> 11 == hash));
        byte[] copy = new byte[14];
        unsafe.copyMemory(digits, first - 4, copy, first, 14);
        System.out.println(Arrays.toString(copy));
        long memory = unsafe.allocateMemory(16);
        unsafe.copyMemory(digits, first - 2, null, memory, 12);
        System.out.println(unsafe.getByte(memory + 1) + " " + (char) unsafe.getByte(memory + 2));
        unsafe.freeMemory(memory);
        System.out.println("same class " + (unsafe.getInt(digits, 8L) == unsafe.getInt(copy, 8L))
            + " " + (unsafe.getInt(digits, 8L) == unsafe.getInt(new int[1], 8L)));
        System.out.println("ints " + unsafe.getInt(new int[] {7, 8, 9}, 12L));
    }
}
