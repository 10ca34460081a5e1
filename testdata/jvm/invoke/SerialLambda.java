// Serialisable lambdas and method references: round trips, captured state, SerializedLambda's contents, failures.
import java.io.*;
import java.lang.invoke.SerializedLambda;
import java.lang.reflect.Method;
import java.util.*;
import java.util.function.*;

public class SerialLambda implements Serializable {
    interface SF<A, B> extends Function<A, B>, Serializable { }
    interface SS<A> extends Supplier<A>, Serializable { }
    interface SI extends IntBinaryOperator, Serializable { }
    int state = 4;
    SF<Integer, Integer> inst() { return x -> x + state; }
    SS<String> bound() { return this::toString; }
    @Override public String toString() { return "SL" + state; }
    static class NotSer { int v = 3; }
    @SuppressWarnings("unchecked") static <T> T copy(T t) throws Exception {
        ByteArrayOutputStream bo = new ByteArrayOutputStream();
        try (ObjectOutputStream o = new ObjectOutputStream(bo)) { o.writeObject(t); }
        try (ObjectInputStream i = new ObjectInputStream(new ByteArrayInputStream(bo.toByteArray()))) {
            return (T) i.readObject();
        }
    }
    static SerializedLambda form(Object o) throws Exception {
        Method m = o.getClass().getDeclaredMethod("writeReplace");
        m.setAccessible(true);
        return (SerializedLambda) m.invoke(o);
    }
    public static void main(String[] args) throws Exception {
        int i = 7;
        long l = 1L << 40;
        String s = "cap";
        double d = 2.5;
        int[] arr = {1, 2};
        char c = 'c';
        boolean z = true;
        byte b = 1;
        short sh = 2;
        float f = 3f;
        SF<String, String> cap = x -> x + i + l + s + d + arr.length + c + z + b + sh + f;
        System.out.println(copy(cap).apply("in:"));
        SF<String, Integer> len = String::length;
        SS<List<String>> mk = ArrayList::new;
        SI sum = Integer::sum;
        SF<Integer, int[]> mkArr = int[]::new;
        System.out.println(copy(len).apply("abc") + copy(mk).get().size() + copy(sum).applyAsInt(3, 4)
            + copy(mkArr).apply(5).length);
        SerialLambda me = new SerialLambda();
        SF<Integer, Integer> inst = me.inst();
        me.state = 10;
        SF<Integer, Integer> cp = copy(inst);
        me.state = 20;
        System.out.println(cp.apply(1) + " " + inst.apply(1) + " " + copy(me.bound()).get());
        Runnable r = (Runnable & Serializable) () -> System.out.println("run " + s);
        copy(r).run();
        Comparator<String> cmp = (Comparator<String> & Serializable) (x, y) -> y.compareTo(x);
        TreeSet<String> ts = copy(new TreeSet<>(cmp));
        ts.addAll(List.of("a", "c", "b"));
        System.out.println(ts);
        SF<Integer, SF<Integer, Integer>> curried = x -> y -> x * 10 + y;
        System.out.println(copy(copy(curried).apply(4)).apply(2));
        SerializedLambda sl = form(cap);
        System.out.println(sl.getCapturingClass() + " " + sl.getFunctionalInterfaceClass() + " "
            + sl.getFunctionalInterfaceMethodName() + sl.getFunctionalInterfaceMethodSignature() + " "
            + sl.getImplClass() + " " + sl.getImplMethodName().replaceAll("\\$[0-9a-f]+\\$", "\\$")
            + sl.getImplMethodSignature() + " " + sl.getImplMethodKind() + " " + sl.getCapturedArgCount() + " "
            + sl.getCapturedArg(1) + " " + sl.getInstantiatedMethodType());
        System.out.println(form(len).getImplMethodName() + form(len).getImplMethodKind() + form(mk).getImplMethodKind()
            + form(me.bound()).getImplMethodKind() + form(sum).getImplMethodSignature());
        NotSer ns = new NotSer();
        SS<Integer> bad = () -> ns.v;
        try { copy(bad); } catch (NotSerializableException e) { System.out.println(e.getMessage()); }
        Runnable plain = () -> { };
        try {
            copy(plain);
        } catch (NotSerializableException e) {
            System.out.println("plain " + e.getMessage().startsWith("SerialLambda$$Lambda$"));
        }
        Map<String, SF<Integer, Integer>> ops = new LinkedHashMap<>();
        ops.put("dbl", x -> x * 2);
        ops.put("sq", x -> x * x);
        ops.put("neg", x -> -x);
        StringBuilder sb = new StringBuilder();
        copy(ops).forEach((k, v) -> sb.append(k).append(v.apply(5)).append(' '));
        System.out.println(sb);
    }
}
