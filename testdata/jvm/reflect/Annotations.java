// Annotations: every element type, defaults, arrays, nesting, repeated, inherited, parameter, type use, equality, toString.
import java.lang.annotation.*;
import java.lang.reflect.*;
import java.util.*;

public class Annotations {
    enum Col { RED, GREEN { } }
    @Retention(RetentionPolicy.RUNTIME) @interface Inner { String v() default "in"; int n() default 3; }
    @Retention(RetentionPolicy.RUNTIME) @interface All {
        boolean z() default true;
        byte b() default 1;
        char c() default 'c';
        short s() default 2;
        int i() default 3;
        long l() default 4;
        float f() default 5.5f;
        double d() default 6.5;
        String str() default "s\"q\n";
        Class<?> cls() default int[].class;
        Col e() default Col.GREEN;
        Inner in() default @Inner(v = "dflt");
        int[] ia() default {1, 2};
        String[] sa() default {};
        Class<?>[] ca() default {void.class, Map.Entry.class};
        Col[] ea() default Col.RED;
        Inner[] ina() default {@Inner, @Inner(n = 9)};
        char[] cha() default {'x', '\''};
        double[] da() default {1e10, Double.NaN};
        long[] la() default {1L << 40};
        byte[] ba() default {-1};
        boolean[] za() default {true, false};
        float[] fa() default {1f};
        short[] sha() default {7};
    }
    @Retention(RetentionPolicy.RUNTIME) @Inherited @interface Inh { int value(); }
    @Retention(RetentionPolicy.CLASS) @interface Cls { }
    @Retention(RetentionPolicy.SOURCE) @interface Src { }
    @Retention(RetentionPolicy.RUNTIME) @Repeatable(Reps.class) @interface Rep { String value(); }
    @Retention(RetentionPolicy.RUNTIME) @interface Reps { Rep[] value(); }
    @Retention(RetentionPolicy.RUNTIME) @Target({ElementType.TYPE_USE, ElementType.TYPE_PARAMETER}) @interface TU {
        int value() default 0;
    }
    @Retention(RetentionPolicy.RUNTIME) @interface Marker { }
    @All @Cls @Src @Inh(5) @Rep("a") @Rep("b") static class Base { }
    @Inh(6) static class Over extends Base { }
    static class Sub extends Base { }
    @Rep("single") static class One { }
    @Inh(1) interface If { }
    static class ImplIf implements If { }
    static class M<@TU(1) X extends @TU(2) Number> extends @TU(3) ArrayList<@TU(4) String> implements @TU(5) Runnable {
        @Marker @TU(6) int @TU(7) [] @TU(8) [] f;
        @Marker Map<@TU(9) String, ? extends @TU(10) List<@TU(11) X>> g;
        @Deprecated(since = "1", forRemoval = true) @TU(12) String m(@Inner(v = "p") @TU(13) int a, String b,
            @Marker @Rep("x") @Rep("y") Object c) throws @TU(14) Exception {
            return null;
        }
        public void run() { }
        @Inner M() { }
        void recv(@TU(15) M<X> this) { }
        <@TU(16) Q> @TU(17) Q gen(@TU(18) Q... q) { return null; }
    }
    class InnerCls { InnerCls(@Marker int x) { } } record Rc(@Marker @TU(20) int a, @Inner String b) { }
    static String ann(AnnotatedElement e) { return Arrays.toString(e.getAnnotations()); }
    public static void main(String[] args) throws Exception {
        All a = Base.class.getAnnotation(All.class);
        // Members whose names share a hash bucket come in no particular order.
        System.out.println(new TreeSet<>(List.of(a.toString().split(", (?=[a-z]+=)"))));
        System.out.println(a.z() + " " + a.b() + a.c() + a.s() + a.i() + a.l() + a.f() + a.d() + a.str().length()
            + a.cls() + a.e() + a.in().v() + a.ia().length + a.sa().length + a.ca()[1] + a.ea()[0] + a.ina()[1].n()
            + a.annotationType());
        a.ia()[0] = 99;
        System.out.println(a.ia()[0] + " " + a.equals(Base.class.getAnnotation(All.class)) + " "
            + (a.hashCode() == Base.class.getAnnotation(All.class).hashCode()) + " " + a.equals(null) + " "
            + Proxy.isProxyClass(a.getClass()) + " " + a.in().hashCode() + " " + a.in());
        System.out.println(Base.class.getAnnotations().length + " " + ann(Sub.class) + " " + ann(Over.class) + " "
            + Sub.class.getDeclaredAnnotations().length + " " + ann(ImplIf.class) + " "
            + Base.class.isAnnotationPresent(Cls.class));
        System.out.println(Arrays.toString(Base.class.getAnnotationsByType(Rep.class))
            + Base.class.getAnnotation(Rep.class) + Base.class.getAnnotation(Reps.class)
            + Arrays.toString(One.class.getAnnotationsByType(Rep.class)) + One.class.getAnnotation(Reps.class)
            + Arrays.toString(Sub.class.getAnnotationsByType(Inh.class))
            + Sub.class.getDeclaredAnnotationsByType(Inh.class).length);
        Field f = M.class.getDeclaredField("f"), g = M.class.getDeclaredField("g");
        Method m = M.class.getDeclaredMethod("m", int.class, String.class, Object.class);
        System.out.println(ann(f) + f.getAnnotatedType() + ann(f.getAnnotatedType())
            + ann(((AnnotatedArrayType) f.getAnnotatedType()).getAnnotatedGenericComponentType()));
        System.out.println(g.getAnnotatedType() + " "
            + ann(((AnnotatedParameterizedType) g.getAnnotatedType()).getAnnotatedActualTypeArguments()[0]));
        System.out.println(ann(m) + m.getAnnotatedReturnType() + Arrays.deepToString(m.getParameterAnnotations())
            + Arrays.toString(m.getAnnotatedExceptionTypes()) + Arrays.toString(m.getAnnotatedParameterTypes())
            + m.getParameters()[2].getAnnotationsByType(Rep.class).length);
        System.out.println(M.class.getAnnotatedSuperclass() + " " + Arrays.toString(M.class.getAnnotatedInterfaces())
            + " " + ann(M.class.getTypeParameters()[0])
            + Arrays.toString(M.class.getTypeParameters()[0].getAnnotatedBounds())
            + M.class.getDeclaredMethod("recv").getAnnotatedReceiverType() + " "
            + ann(M.class.getDeclaredConstructor()));
        Method gen = M.class.getDeclaredMethod("gen", Object[].class);
        System.out.println(gen.getAnnotatedReturnType() + " " + ann(gen.getTypeParameters()[0])
            + gen.getAnnotatedParameterTypes()[0]);
        System.out.println(Arrays.deepToString(InnerCls.class.getDeclaredConstructors()[0].getParameterAnnotations())
            + ann(Rc.class.getRecordComponents()[0]) + Rc.class.getRecordComponents()[0].getAnnotatedType()
            + ann(Rc.class.getDeclaredMethod("b")) + ann(Rc.class.getDeclaredField("b"))
            + Arrays.deepToString(Rc.class.getDeclaredConstructors()[0].getParameterAnnotations()));
        System.out.println(All.class.getMethod("i").getDefaultValue() + " "
            + Inh.class.getMethod("value").getDefaultValue() + " "
            + Arrays.toString((int[]) All.class.getMethod("ia").getDefaultValue()) + " " + All.class.isAnnotation()
            + All.class.isInterface() + Arrays.toString(All.class.getInterfaces()) + ann(Inh.class)
            + Modifier.toString(All.class.getModifiers()));
        System.out.println(ann(FunctionalInterface.class) + ann(Runnable.class)
            + Thread.class.getMethod("stop").getAnnotation(Deprecated.class));
        Inner made = (Inner) Proxy.newProxyInstance(Annotations.class.getClassLoader(), new Class<?>[] {Inner.class},
            (p, mm, ar) -> switch (mm.getName()) { case "v" -> "in"; case "n" -> 3;
            case "annotationType" -> Inner.class; default -> null; });
        System.out.println(a.ina()[0].equals(made) + " "
            + M.class.getDeclaredConstructor().getAnnotation(Inner.class).equals(a.ina()[0]));
        try { Base.class.getAnnotation(null); } catch (NullPointerException e) { System.out.println("npe"); }
    }
}
