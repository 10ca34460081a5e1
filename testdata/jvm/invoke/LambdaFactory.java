// The bootstraps called by hand: LambdaMetafactory, altMetafactory, StringConcatFactory, ObjectMethods, ConstantBootstraps.
import java.lang.invoke.*;
import java.lang.runtime.ObjectMethods;
import java.util.*;
import java.util.function.*;

public class LambdaFactory {
    record P(int x, String y) { }
    enum E { A, B }
    static int add(int a, Integer b) { return a + b; }
    String inst(Object o) { return "inst" + o; }
    static final int K = 5;
    static List<String> sl = List.of("sl");
    interface T { Object run() throws Throwable; }
    static void t(String n, T r) {
        try {
            System.out.println(n + " " + r.run());
        } catch (Throwable e) {
            System.out.println(n + " !" + e.getClass().getSimpleName() + ": "
                + String.valueOf(e.getMessage()).replaceAll("@[0-9a-f]+", "#"));
        }
    }
    public static void main(String[] args) throws Throwable {
        MethodHandles.Lookup l = MethodHandles.lookup();
        MethodHandle add = l.findStatic(LambdaFactory.class, "add",
            MethodType.methodType(int.class, int.class, Integer.class)),
            inst = l.findVirtual(LambdaFactory.class, "inst", MethodType.methodType(String.class, Object.class));
        t("bifunction", () -> ((BiFunction<Integer, Integer, Integer>) LambdaMetafactory.metafactory(l, "apply",
            MethodType.methodType(BiFunction.class), MethodType.genericMethodType(2), add,
            MethodType.methodType(Integer.class, Integer.class, Integer.class)).getTarget().invokeExact()).apply(3, 4));
        t("captured", () -> ((Function<String, String>) LambdaMetafactory.metafactory(l, "apply",
            MethodType.methodType(Function.class, LambdaFactory.class), MethodType.genericMethodType(1), inst,
            MethodType.methodType(String.class, String.class)).getTarget().invokeExact(new
            LambdaFactory())).apply("!"));
        t("prim", () -> ((IntUnaryOperator) LambdaMetafactory.metafactory(l, "applyAsInt",
            MethodType.methodType(IntUnaryOperator.class, int.class), MethodType.methodType(int.class, int.class),
            l.findStatic(Math.class, "max", MethodType.methodType(int.class, int.class, int.class)),
            MethodType.methodType(int.class, int.class)).getTarget().invokeExact(7)).applyAsInt(3));
        t("alt", () -> { Object o = LambdaMetafactory.altMetafactory(l, "get",
            MethodType.methodType(Supplier.class, String.class), MethodType.methodType(Object.class),
            l.findVirtual(String.class, "trim", MethodType.methodType(String.class)),
            MethodType.methodType(String.class), LambdaMetafactory.FLAG_MARKERS | LambdaMetafactory.FLAG_SERIALIZABLE,
            1, Cloneable.class).getTarget().invoke(" alt ");
            return ((Supplier<?>) o).get() + "" + (o instanceof Cloneable) + (o instanceof java.io.Serializable); });
        t("bad arity", () -> LambdaMetafactory.metafactory(l, "apply", MethodType.methodType(Function.class),
            MethodType.genericMethodType(1), add, MethodType.genericMethodType(1)));
        t("not iface", () -> LambdaMetafactory.metafactory(l, "length", MethodType.methodType(String.class),
            MethodType.methodType(int.class), add, MethodType.methodType(int.class)));
        t("concat", () -> (String) StringConcatFactory.makeConcatWithConstants(l, "x",
            MethodType.methodType(String.class, int.class, String.class, double.class), "a\1b\1c\2d\1e",
            "K").getTarget().invokeExact(1, "s", 2.5));
        t("concat simple", () -> (String) StringConcatFactory.makeConcat(l, "x",
            MethodType.methodType(String.class, char.class, long.class, Object.class)).getTarget().invokeExact('c', 5L,
            (Object) null));
        t("concat none", () -> (String) StringConcatFactory.makeConcat(l, "x",
            MethodType.methodType(String.class)).getTarget().invokeExact());
        t("concat bad", () -> StringConcatFactory.makeConcatWithConstants(l, "x",
            MethodType.methodType(String.class, int.class), "\1\1"));
        t("concat bad2", () -> StringConcatFactory.makeConcat(l, "x", MethodType.methodType(int.class, int.class)));
        MethodHandle[] getters = {l.findGetter(P.class, "x", int.class), l.findGetter(P.class, "y", String.class)};
        t("toString", () -> (String) ((CallSite) ObjectMethods.bootstrap(l, "toString",
            MethodType.methodType(String.class, P.class), P.class, "a;b", getters)).getTarget().invokeExact(new P(1,
            "q")));
        t("hashCode", () -> (int) ((MethodHandle) ObjectMethods.bootstrap(l, "hashCode", MethodHandle.class, P.class,
            null, getters)).invokeExact(new P(1, "q")) == new P(1, "q").hashCode());
        t("equals", () -> (boolean) ((CallSite) ObjectMethods.bootstrap(l, "equals",
            MethodType.methodType(boolean.class, P.class, Object.class), P.class, "",
            getters[0])).getTarget().invokeExact(new P(1, "q"), (Object) new P(1, "z")));
        t("om bad", () -> ObjectMethods.bootstrap(l, "clone", MethodHandle.class, P.class, "", getters));
        t("null", () -> ConstantBootstraps.nullConstant(l, "_", String.class));
        t("prim class", () -> ConstantBootstraps.primitiveClass(l, "J", Class.class));
        t("enum", () -> ConstantBootstraps.enumConstant(l, "B", E.class));
        t("enum bad", () -> ConstantBootstraps.enumConstant(l, "Z", E.class));
        t("static final", () -> ConstantBootstraps.getStaticFinal(l, "K", int.class, LambdaFactory.class));
        t("static final bad", () -> ConstantBootstraps.getStaticFinal(l, "sl", List.class, LambdaFactory.class));
        t("invoke", () -> ConstantBootstraps.invoke(l, "_", int.class, add, 4, 5));
        t("cast", () -> ConstantBootstraps.explicitCast(l, "_", byte.class, 300));
        t("fieldVH", () -> ConstantBootstraps.staticFieldVarHandle(l, "sl", VarHandle.class, LambdaFactory.class,
            List.class).get());
        t("arrayVH", () -> ConstantBootstraps.arrayVarHandle(l, "_", VarHandle.class, int[].class).varType());
        t("constant site", () -> (int) new ConstantCallSite(add).dynamicInvoker().invokeExact(1, (Integer) 2));
        t("constant set", () -> { new ConstantCallSite(add).setTarget(add); return 0; });
        t("describe", () -> MethodType.methodType(int.class, String.class).describeConstable().get() + " "
            + String.class.describeConstable().get() + " " + add.describeConstable().get() + " "
            + E.A.describeConstable().get() + " " + Integer.valueOf(3).describeConstable().get());
        t("resolve", () -> ((Class<?>) java.lang.constant.ClassDesc.of("java.util",
            "List").arrayType().resolveConstantDesc(l)).getName()
            +
            ((MethodHandle)
            java.lang.constant.MethodHandleDesc.of(java.lang.constant.DirectMethodHandleDesc.Kind.VIRTUAL,
            java.lang.constant.ConstantDescs.CD_String, "length", "()I").resolveConstantDesc(l)).invoke("abc"));
    }
}
