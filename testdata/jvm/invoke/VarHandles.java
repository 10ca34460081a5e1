// VarHandles over fields, statics, arrays and byte views: all access modes for every type, and their failures.
import java.lang.invoke.*;
import java.nio.*;
import java.util.*;

public class VarHandles {
    boolean z;
    byte b;
    char c;
    short s;
    int i;
    long l;
    float f;
    double d;
    Object o;
    final int fin = 3;
    volatile int vol;
    static int si = 1;
    static volatile Object so = "so";
    interface T { Object run() throws Throwable; }
    static void t(String n, T r) {
        try {
            System.out.println(n + " " + r.run());
        } catch (Throwable e) {
            System.out.println(n + " !" + e.getClass().getSimpleName() + ": "
                + String.valueOf(e.getMessage()).replaceAll("@[0-9a-f]+", "@"));
        }
    }
    public static void main(String[] args) throws Throwable {
        MethodHandles.Lookup k = MethodHandles.lookup(); VarHandles h = new VarHandles();
        VarHandle vi = k.findVarHandle(VarHandles.class, "i", int.class),
            vl = k.findVarHandle(VarHandles.class, "l", long.class),
            vz = k.findVarHandle(VarHandles.class, "z", boolean.class),
            vb = k.findVarHandle(VarHandles.class, "b", byte.class),
            vc = k.findVarHandle(VarHandles.class, "c", char.class),
            vs = k.findVarHandle(VarHandles.class, "s", short.class),
            vf = k.findVarHandle(VarHandles.class, "f", float.class),
            vd = k.findVarHandle(VarHandles.class, "d", double.class),
            vo = k.findVarHandle(VarHandles.class, "o", Object.class),
            vfin = k.findVarHandle(VarHandles.class, "fin", int.class),
            vst = k.findStaticVarHandle(VarHandles.class, "si", int.class),
            vso = k.findStaticVarHandle(VarHandles.class, "so", Object.class);
        vi.set(h, 5);
        System.out.println((int) vi.get(h) + " " + (int) vi.getAndSet(h, 6) + (int) vi.getAndAdd(h, 10)
            + (int) vi.getAndBitwiseOr(h, 1) + " " + (int) vi.getAndBitwiseAnd(h, 0xfe) + " "
            + (int) vi.getAndBitwiseXor(h, 0xff) + " " + h.i);
        System.out.println(vi.compareAndSet(h, h.i, 1) + " " + vi.compareAndSet(h, 5, 1) + " "
            + (int) vi.compareAndExchange(h, 1, 2) + (int) vi.compareAndExchange(h, 1, 3)
            + vi.weakCompareAndSetPlain(h, 9, 9) + h.i);
        vi.setVolatile(h, 7);
        vi.setOpaque(h, (int) vi.getVolatile(h) + 1);
        vi.setRelease(h, (int) vi.getOpaque(h) + 1);
        System.out.println((int) vi.getAcquire(h));
        vl.set(h, 1L << 50);
        System.out.println((long) vl.getAndAdd(h, -1L) + " " + h.l + " " + vl.compareAndSet(h, h.l, 3L)
            + (long) vl.getAndAddAcquire(h, 2L) + (long) vl.getAndAddRelease(h, 2L) + h.l);
        vz.set(h, true);
        System.out.println((boolean) vz.getAndSet(h, false) + "" + (boolean) vz.getAndBitwiseOr(h, true)
            + (boolean) vz.getAndBitwiseXor(h, true) + vz.compareAndSet(h, false, true) + h.z);
        vb.set(h, (byte) 127);
        System.out.println((byte) vb.getAndAdd(h, (byte) 2) + " " + h.b + vb.compareAndSet(h, (byte) -127, (byte) 1)
            + (byte) vb.getAndBitwiseAnd(h, (byte) 3));
        vc.set(h, 'a');
        System.out.println((char) vc.getAndAdd(h, (char) 1) + "" + h.c + vc.compareAndSet(h, 'b', 'z') + h.c);
        vs.set(h, (short) -1);
        System.out.println((short) vs.getAndAdd(h, (short) -32768) + " " + h.s
            + vs.compareAndSet(h, (short) 32767, (short) 0));
        vf.set(h, 1.5f);
        System.out.println((float) vf.getAndAdd(h, 1f) + " " + h.f + vf.compareAndSet(h, 2.5f, Float.NaN)
            + vf.compareAndSet(h, Float.NaN, 0f));
        vd.set(h, -0.0);
        System.out.println((double) vd.getAndAdd(h, 2.5) + " " + h.d + vd.compareAndSet(h, 2.5, 0.0)
            + vd.compareAndSet(h, -0.0, 1.0));
        vo.set(h, "a");
        System.out.println((Object) vo.getAndSet(h, null) + " " + vo.compareAndSet(h, null, "b")
            + vo.compareAndSet(h, new String("b"), "c") + vo.compareAndExchange(h, "b", 5) + h.o);
        vst.setVolatile(9);
        System.out.println((int) vst.getAndAdd(1) + " " + si + (Object) vso.getAndSet("x") + so);
        t("final set", () -> { vfin.set(h, 4); return 0; });
        t("final get", () -> (int) vfin.get(h));
        t("obj add", () -> vo.getAndAdd(h, 1));
        t("float or", () -> vf.getAndBitwiseOr(h, 1f));
        t("bad type", () -> { vi.set(h, "s"); return 0; });
        t("bad recv", () -> { vi.set("s", 1); return 0; });
        t("null recv", () -> { vi.set((VarHandles) null, 1); return 0; });
        t("widen", () -> { vl.set(h, 5); return (long) vl.get(h); });
        t("as object", () -> (Object) vi.get(h));
        t("few args", () -> { vi.set(h); return 0; });
        t("no field", () -> k.findVarHandle(VarHandles.class, "none", int.class));
        t("wrong ftype", () -> k.findVarHandle(VarHandles.class, "i", long.class));
        t("is static", () -> k.findVarHandle(VarHandles.class, "si", int.class));
        VarHandle va = MethodHandles.arrayElementVarHandle(int[].class),
            vsa = MethodHandles.arrayElementVarHandle(String[].class),
            vda = MethodHandles.arrayElementVarHandle(double[].class);
        int[] ia = {1, 2, 3};
        System.out.println((int) va.getAndAdd(ia, 1, 40) + " " + ia[1] + va.compareAndSet(ia, 0, 1, 100)
            + Arrays.toString(ia));
        String[] sa = {"p", null};
        System.out.println(vsa.compareAndSet(sa, 1, null, "q") + Arrays.toString(sa)
            + (String) vsa.getAndSet(sa, 0, "r"));
        double[] da = {1.5};
        vda.setVolatile(da, 0, 2.5);
        System.out.println((double) vda.getAndAdd(da, 0, 1.0) + da[0]);
        t("oob", () -> (int) va.get(ia, 3));
        t("neg", () -> (int) va.getVolatile(ia, -1));
        t("store", () -> { MethodHandles.arrayElementVarHandle(Object[].class).set((Object[]) sa, 0, 5); return 0; });
        t("null arr", () -> (int) va.get((int[]) null, 0));
        byte[] bytes = new byte[16];
        VarHandle be = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN),
            le = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN),
            ch = MethodHandles.byteArrayViewVarHandle(char[].class, ByteOrder.BIG_ENDIAN),
            dv = MethodHandles.byteArrayViewVarHandle(double[].class, ByteOrder.LITTLE_ENDIAN),
            sh = MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.LITTLE_ENDIAN);
        be.set(bytes, 1, 0x01020304);
        System.out.println(Arrays.toString(bytes));
        le.set(bytes, 8, 0x1122334455667788L);
        System.out.println(Arrays.toString(bytes) + Long.toHexString((long) le.get(bytes, 3))
            + (int) (char) ch.get(bytes, 1) + (short) sh.get(bytes, 2) + (double) dv.get(bytes, 8));
        t("view oob", () -> (int) be.get(bytes, 13));
        VarHandle bb = MethodHandles.byteBufferViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);
        ByteBuffer buf = ByteBuffer.allocateDirect(16), hb = ByteBuffer.allocate(16);
        bb.set(buf, 4, 77);
        bb.set(hb, 4, 78);
        System.out.println(buf.getInt(4) + hb.getInt(4) + " " + (int) bb.getAndAdd(buf, 4, 1) + buf.getInt(4));
        t("ro", () -> { bb.set(hb.asReadOnlyBuffer(), 0, 1); return 0; });
        System.out.println(vi.varType() + " " + vi.coordinateTypes()
            + vi.isAccessModeSupported(VarHandle.AccessMode.GET_AND_ADD)
            + vo.isAccessModeSupported(VarHandle.AccessMode.GET_AND_ADD)
            + vfin.isAccessModeSupported(VarHandle.AccessMode.SET)
            + vi.accessModeType(VarHandle.AccessMode.COMPARE_AND_SET) + VarHandle.AccessMode.GET_AND_ADD.methodName());
        System.out.println((int) vi.toMethodHandle(VarHandle.AccessMode.GET_AND_ADD).invokeExact(h, 3) + " "
            + (int) MethodHandles.varHandleInvoker(VarHandle.AccessMode.GET,
            MethodType.methodType(int.class, VarHandles.class)).invoke(vi, h));
        VarHandle.fullFence();
        VarHandle.acquireFence();
        VarHandle.releaseFence();
        VarHandle.loadLoadFence();
        VarHandle.storeStoreFence();
        VarHandle ex = vi.withInvokeExactBehavior();
        t("exact", () -> { ex.set(h, (short) 1); return 0; });
        long sum = 0;
        for (int q = 0; q < 2000; q++) {
            vi.getAndAdd(h, q);
            sum += (int) vi.getVolatile(h);
            va.compareAndSet(ia, 2, ia[2], q);
        }
        System.out.println(sum + " " + ia[2]);
    }
}
