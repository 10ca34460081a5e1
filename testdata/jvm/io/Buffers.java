// NIO buffers: heap and direct, views, endianness, slices, duplicates, compaction, marks, bulk operations, comparison, limits.
import java.nio.*;
import java.util.*;

public class Buffers {
    interface T { Object run() throws Throwable; }
    static void t(String n, T r) {
        try {
            System.out.println(n + " " + r.run());
        } catch (Throwable e) {
            System.out.println(n + " !" + e.getClass().getSimpleName() + ": " + e.getMessage());
        }
    }
    static void all(ByteBuffer b) {
        System.out.println(b + " " + b.order() + b.hasArray() + b.isReadOnly());
        b.put((byte) 1).putChar('é').putShort((short) -2).putInt(0x01020304).putLong(Long.MIN_VALUE
            + 5).putFloat(1.5f).putDouble(-2.5).put("xyz".getBytes());
        System.out.println(b);
        b.flip();
        byte[] raw = new byte[b.remaining()];
        b.duplicate().get(raw);
        System.out.println(Arrays.toString(raw));
        System.out.println(b.get() + " " + b.getChar() + b.getShort() + b.getInt() + " " + b.getLong() + " "
            + b.getFloat() + b.getDouble() + b.remaining());
        b.rewind();
        b.order(ByteOrder.LITTLE_ENDIAN);
        System.out.println((int) b.getChar(1) + " " + b.getInt(5) + " " + b.getLong(9) + " " + b.getDouble(21)
            + b.order());
        b.position(3).mark().position(8).reset();
        System.out.println(b.position() + " " + b.slice() + b.slice(2, 4) + b.duplicate() + b.asReadOnlyBuffer());
        b.limit(10).compact();
        System.out.println(b + " " + b.get(0));
        b.clear();
        IntBuffer ib = b.asIntBuffer();
        ib.put(0, 0xABCDEF).put(1, 7);
        LongBuffer lb = b.asLongBuffer();
        System.out.println(ib + " " + b.get(0) + " " + lb.get(0) + " " + ib.order() + b.asCharBuffer().get(0) / 256
            + b.asShortBuffer().get(1) + b.asFloatBuffer().get(1) + b.asDoubleBuffer().capacity());
        b.put(5, new byte[] {9, 8, 7}).put(20, b, 5, 3);
        System.out.println(b.get(21) + " " + b.mismatch(b.duplicate().position(0)) + b.equals(b.duplicate())
            + b.compareTo(b.duplicate().limit(5)) + b.hashCode() * 0);
        t("underflow", () -> b.limit(0).get());
        b.clear();
        t("overflow", () -> b.put(new byte[1000]));
        t("index", () -> b.getInt(b.capacity() - 2));
        t("neg", () -> b.get(-1));
        t("limit", () -> b.limit(9999));
        t("position", () -> b.position(-1));
        t("mark", () -> b.clear().reset());
        t("ro", () -> b.asReadOnlyBuffer().put(0, (byte) 1));
        t("array", () -> b.hasArray() ? b.array().length : b.array());
        t("self put", () -> b.put(b));
        t("slice bad", () -> b.slice(5, 999));
    }
    public static void main(String[] args) {
        all(ByteBuffer.allocate(48));
        all(ByteBuffer.allocateDirect(48));
        all(ByteBuffer.wrap(new byte[60], 6, 48).slice());
        CharBuffer c = CharBuffer.wrap("hello world");
        System.out.println(c.subSequence(1, 4) + " " + c.length() + c.charAt(4) + c.isReadOnly()
            + c.get(new char[3], 0, 2) + c + c.chars().sum() + CharBuffer.allocate(3).append('q').append("w").flip());
        t("cb ro", () -> c.put('x'));
        t("cb range", () -> c.subSequence(3, 1));
        IntBuffer i = IntBuffer.wrap(new int[] {1, 2, 3, 4});
        i.get();
        System.out.println(i.slice().get(0) + " " + Arrays.toString(i.array()) + i.arrayOffset() + i.compact()
            + i.equals(IntBuffer.wrap(new int[] {4}))
            + IntBuffer.wrap(new int[] {1, 2}).compareTo(IntBuffer.wrap(new int[] {1, 3}))
            + IntBuffer.wrap(new int[] {1, 2}).hashCode() + LongBuffer.allocate(2).put(5L).put(1, 6L).get(0)
            + DoubleBuffer.wrap(new double[] {Double.NaN}).equals(DoubleBuffer.wrap(new double[] {Double.NaN}))
            + FloatBuffer.allocate(1).put(0, -0f).compareTo(FloatBuffer.allocate(1))
            + ShortBuffer.wrap(new short[] {1, 2, 3}, 1, 2));
        t("alloc neg", () -> ByteBuffer.allocate(-5));
        t("wrap", () -> ByteBuffer.wrap(new byte[3], 2, 5));
        ByteBuffer al = ByteBuffer.allocateDirect(32);
        System.out.println(al.alignmentOffset(0, 1) + " " + ByteOrder.nativeOrder() + al.asLongBuffer().isDirect()
            + ByteBuffer.allocate(1).order(ByteOrder.LITTLE_ENDIAN).slice().order());
        long sum = 0;
        ByteBuffer big = ByteBuffer.allocateDirect(8000).order(ByteOrder.nativeOrder());
        for (int k = 0; k < 1000; k++) big.putLong(k * 8, k * 31L);
        LongBuffer lv = big.asLongBuffer();
        while (lv.hasRemaining()) sum += lv.get();
        long[] bulk = new long[1000];
        big.asLongBuffer().get(bulk);
        System.out.println(sum + " " + Arrays.stream(bulk).sum());
        big.asLongBuffer().put(new long[1000]);
        System.out.println(big.getLong(800));
        for (int k = 0; k < 50; k++) ByteBuffer.allocateDirect(1 << 16);
        System.out.println("done");
    }
}
