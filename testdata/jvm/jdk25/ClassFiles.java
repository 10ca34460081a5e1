// The class-file API (JEP 484): a class is written, loaded, read and transformed.
import java.lang.classfile.*;
import java.lang.classfile.attribute.*;
import java.lang.classfile.instruction.*;
import java.lang.constant.*;
import java.lang.invoke.*;
import java.lang.reflect.AccessFlag;
import java.util.*;

public class ClassFiles {
    static final ClassDesc OUT = ClassDesc.of("java.io.PrintStream");

    public static void main(String[] args) throws Throwable {
        byte[] bytes = ClassFile.of().build(ClassDesc.of("Made"), b -> b
            .withFlags(AccessFlag.PUBLIC)
            .withField("count", ConstantDescs.CD_int, ClassFile.ACC_STATIC | ClassFile.ACC_PUBLIC)
            .withMethodBody("twice", MethodTypeDesc.of(ConstantDescs.CD_int, ConstantDescs.CD_int),
                ClassFile.ACC_PUBLIC | ClassFile.ACC_STATIC, code -> code.iload(0).iconst_2().imul().ireturn())
            .withMethodBody("hello", MethodTypeDesc.of(ConstantDescs.CD_void), ClassFile.ACC_PUBLIC | ClassFile.ACC_STATIC,
                code -> code.getstatic(ClassDesc.of("java.lang.System"), "out", OUT).ldc("hello from " + "bytes")
                    .invokevirtual(OUT, "println", MethodTypeDesc.of(ConstantDescs.CD_void, ConstantDescs.CD_String)).return_())
            .withMethodBody("abs", MethodTypeDesc.of(ConstantDescs.CD_int, ConstantDescs.CD_int),
                ClassFile.ACC_PUBLIC | ClassFile.ACC_STATIC, code -> code.iload(0)
                    .ifThenElse(Opcode.IFLT, c -> c.iload(0).ineg().ireturn(), c -> c.iload(0).ireturn())));
        var lookup = MethodHandles.lookup().defineHiddenClass(rename(bytes, "ClassFiles$Made"), true);
        System.out.println((int) lookup.findStatic(lookup.lookupClass(), "twice", MethodType.methodType(int.class, int.class)).invokeExact(21));
        lookup.findStatic(lookup.lookupClass(), "hello", MethodType.methodType(void.class)).invokeExact();
        System.out.println((int) lookup.findStatic(lookup.lookupClass(), "abs", MethodType.methodType(int.class, int.class)).invokeExact(-5));

        ClassModel model = ClassFile.of().parse(bytes);
        System.out.println(model.thisClass().asInternalName() + " " + model.majorVersion() + " " + model.flags().flags());
        for (MethodModel m : model.methods()) {
            System.out.println(m.methodName() + "" + m.methodType() + " " + m.code().get().elementList().stream()
                .filter(e -> e instanceof Instruction).map(e -> ((Instruction) e).opcode().toString()).toList());
        }
        byte[] changed = ClassFile.of().transformClass(model, ClassTransform.transformingMethodBodies(
            m -> m.methodName().equalsString("twice"),
            (b, e) -> {
                if (e instanceof ConstantInstruction c && c.opcode() == Opcode.ICONST_2) {
                    b.iconst_3();
                } else {
                    b.with(e);
                }
            }));
        var again = MethodHandles.lookup().defineHiddenClass(rename(changed, "ClassFiles$Changed"), true);
        System.out.println((int) again.findStatic(again.lookupClass(), "twice", MethodType.methodType(int.class, int.class)).invokeExact(21));
        System.out.println(ClassFile.of().verify(bytes).size());
        try {
            ClassFile.of().parse(new byte[] {1, 2, 3, 4, 5, 6, 7, 8});
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
    }

    static byte[] rename(byte[] bytes, String name) {
        ClassModel model = ClassFile.of().parse(bytes);
        return ClassFile.of().transformClass(model, ClassDesc.of(name), ClassTransform.ACCEPT_ALL);
    }
}
