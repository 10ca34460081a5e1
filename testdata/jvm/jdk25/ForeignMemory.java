// Foreign memory (JEP 454): segments, arenas, layouts and var handles. No foreign functions.
import java.lang.foreign.*;
import java.lang.invoke.*;
import java.nio.*;
import java.util.*;

public class ForeignMemory {
    static final StructLayout POINT = MemoryLayout.structLayout(
        ValueLayout.JAVA_INT.withName("x"), ValueLayout.JAVA_INT.withName("y"), ValueLayout.JAVA_LONG.withName("tag"));

    public static void main(String[] args) {
        VarHandle x = POINT.varHandle(MemoryLayout.PathElement.groupElement("x"));
        VarHandle tag = POINT.varHandle(MemoryLayout.PathElement.groupElement("tag"));
        System.out.println(POINT + " " + POINT.byteSize() + " " + POINT.byteOffset(MemoryLayout.PathElement.groupElement("tag")));
        MemorySegment kept;
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment p = arena.allocate(POINT);
            x.set(p, 0L, 42);
            tag.set(p, 0L, 1L << 40);
            System.out.println((int) x.get(p, 0L) + " " + (long) tag.get(p, 0L) + " " + p.byteSize());
            MemorySegment all = arena.allocate(POINT, 10);
            VarHandle xs = POINT.arrayElementVarHandle(MemoryLayout.PathElement.groupElement("x"));
            for (int i = 0; i < 10; i++) {
                xs.set(all, 0L, (long) i, i * i);
            }
            System.out.println((int) xs.get(all, 0L, 9L) + " " + all.elements(POINT).count());
            MemorySegment text = arena.allocateFrom("héllo");
            System.out.println(text.byteSize() + " " + text.getString(0));
            try {
                p.get(ValueLayout.JAVA_INT, 16);
            } catch (IndexOutOfBoundsException e) {
                System.out.println("out of bounds");
            }
            try {
                p.asReadOnly().set(ValueLayout.JAVA_INT, 0, 1);
            } catch (IllegalArgumentException e) {
                System.out.println("read only");
            }
            MemorySegment.copy(all, 0, p, 0, 16);
            System.out.println(p.mismatch(all) + " " + p.asSlice(4, 4).byteSize() + " " + all.fill((byte) 7).get(ValueLayout.JAVA_BYTE, 5));
            kept = p;
        }
        try {
            kept.get(ValueLayout.JAVA_INT, 0);
        } catch (IllegalStateException e) {
            System.out.println(e.getMessage());
        }
        int[] array = {1, 2, 3};
        MemorySegment onHeap = MemorySegment.ofArray(array);
        onHeap.setAtIndex(ValueLayout.JAVA_INT, 1, 20);
        System.out.println(Arrays.toString(array) + " " + onHeap.isNative() + " " + Arrays.toString(onHeap.toArray(ValueLayout.JAVA_INT)));
        System.out.println(onHeap.get(ValueLayout.JAVA_INT.withOrder(ByteOrder.BIG_ENDIAN), 0));
        ByteBuffer buffer = MemorySegment.ofArray(new byte[] {0, 0, 0, 0, 20, 0, 0, 0}).asByteBuffer().order(ByteOrder.LITTLE_ENDIAN);
        System.out.println(buffer.getInt(4) + " " + MemorySegment.ofBuffer(buffer).byteSize());
        try (Arena shared = Arena.ofShared()) {
            MemorySegment s = shared.allocate(64, 8);
            Thread t = new Thread(() -> s.set(ValueLayout.JAVA_LONG, 8, 99));
            t.start();
            try {
                t.join();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
            System.out.println(s.get(ValueLayout.JAVA_LONG, 8) + " " + s.isAccessibleBy(t) + " " + s.scope().isAlive());
        }
        Arena.ofAuto().allocate(16).set(ValueLayout.JAVA_DOUBLE, 8, 0.5);
        SegmentAllocator slices = SegmentAllocator.slicingAllocator(Arena.global().allocate(32));
        System.out.println(slices.allocate(8).byteSize() + slices.allocate(16).byteSize());
        try {
            slices.allocate(16);
        } catch (IndexOutOfBoundsException e) {
            System.out.println("no room");
        }
        MemoryLayout union = MemoryLayout.unionLayout(ValueLayout.JAVA_INT.withName("i"), ValueLayout.JAVA_FLOAT.withName("f"));
        MemorySegment u = Arena.ofAuto().allocate(union);
        u.set(ValueLayout.JAVA_FLOAT, 0, 1f);
        System.out.println(Integer.toHexString(u.get(ValueLayout.JAVA_INT, 0)) + " " + union);
        VarHandle atomic = ValueLayout.JAVA_INT.varHandle();
        System.out.println((int) atomic.getAndAdd(u, 0L, 1) + " " + atomic.compareAndSet(u, 0L, 0x3f800001, 5) + " " + (int) atomic.getVolatile(u, 0L));
    }
}
