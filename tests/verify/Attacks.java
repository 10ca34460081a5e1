import static jdk.internal.org.objectweb.asm.Opcodes.*;

import java.io.*;
import java.nio.file.*;
import java.util.*;
import java.util.function.Consumer;
import jdk.internal.org.objectweb.asm.*;

/** Assembles classes that try to confuse types; none may be linked. Written as a file of cases. */
public class Attacks {
    static final List<String> NAMES = new ArrayList<>();
    static final List<byte[]> CLASSES = new ArrayList<>();

    interface Body {
        void write(MethodVisitor m);
    }

    static void attack(String what, int version, String desc, Body body) {
        attack(what, version, "sample/Attack", "java/lang/Object", "attack", desc, body, c -> {});
    }

    static void attack(String what, int version, String name, String parent, String method, String desc, Body body,
            Consumer<ClassWriter> more) {
        ClassWriter c = new ClassWriter(0);
        c.visit(version, ACC_PUBLIC | ACC_SUPER, name, null, parent, null);
        c.visitField(0, "own", "I", null, null).visitEnd();
        more.accept(c);
        MethodVisitor m = c.visitMethod(method.equals("<init>") ? 0 : ACC_STATIC, method, desc, null, null);
        m.visitCode();
        body.write(m);
        m.visitMaxs(8, 8);
        m.visitEnd();
        c.visitEnd();
        NAMES.add(what + (version == V1_4 ? " (inferred)" : ""));
        CLASSES.add(c.toByteArray());
    }

    static void both(String what, String desc, Body checked, Body inferred) {
        attack(what, V17, desc, checked);
        attack(what, V1_4, desc, inferred);
    }

    static void both(String what, String desc, Body body) {
        both(what, desc, body, body);
    }

    static final Object[] NONE = {};

    static void frame(MethodVisitor m, Object[] locals, Object... stack) {
        m.visitFrame(F_FULL, locals.length, locals, stack.length, stack);
    }

    static void receivers() {
        both("getfield on another class", "(Ljava/lang/Object;)I", m -> {
            m.visitVarInsn(ALOAD, 0);
            m.visitFieldInsn(GETFIELD, "sample/Mixed", "l", "J");
            m.visitInsn(L2I);
            m.visitInsn(IRETURN);
        });
        both("putfield on another class", "(Ljava/lang/String;)V", m -> {
            m.visitVarInsn(ALOAD, 0);
            m.visitInsn(ICONST_1);
            m.visitFieldInsn(PUTFIELD, "sample/Mixed", "i", "I");
            m.visitInsn(RETURN);
        });
        both("getfield on an int", "(I)I", m -> {
            m.visitVarInsn(ILOAD, 0);
            m.visitFieldInsn(GETFIELD, "sample/Mixed", "i", "I");
            m.visitInsn(IRETURN);
        });
        both("getfield on an array", "([I)I", m -> {
            m.visitVarInsn(ALOAD, 0);
            m.visitFieldInsn(GETFIELD, "sample/Mixed", "i", "I");
            m.visitInsn(IRETURN);
        });
        both("invokevirtual on another class", "(Ljava/lang/String;)V", m -> {
            m.visitVarInsn(ALOAD, 0);
            m.visitMethodInsn(INVOKEVIRTUAL, "sample/Mixed", "run", "()V", false);
            m.visitInsn(RETURN);
        });
        both("invokespecial outside the hierarchy", "(Lsample/Mixed;)V", m -> {
            m.visitVarInsn(ALOAD, 0);
            m.visitMethodInsn(INVOKESPECIAL, "sample/Mixed", "run", "()V", false);
            m.visitInsn(RETURN);
        });
        both("wrong argument", "(Ljava/lang/Object;)V", m -> {
            m.visitVarInsn(ALOAD, 0);
            m.visitMethodInsn(INVOKESTATIC, "java/lang/Integer", "parseInt", "(Ljava/lang/String;)I", false);
            m.visitInsn(POP);
            m.visitInsn(RETURN);
        });
        both("int as a reference argument", "(I)V", m -> {
            m.visitVarInsn(ILOAD, 0);
            m.visitMethodInsn(INVOKESTATIC, "java/lang/Integer", "parseInt", "(Ljava/lang/String;)I", false);
            m.visitInsn(POP);
            m.visitInsn(RETURN);
        });
        both("wrong result", "(Ljava/lang/Object;)Ljava/lang/String;", m -> {
            m.visitVarInsn(ALOAD, 0);
            m.visitInsn(ARETURN);
        });
        both("int returned as a reference", "(I)Ljava/lang/String;", m -> {
            m.visitVarInsn(ILOAD, 0);
            m.visitInsn(IRETURN);
        });
        both("throwing what is not throwable", "(Ljava/lang/Object;)V", m -> {
            m.visitVarInsn(ALOAD, 0);
            m.visitInsn(ATHROW);
        });
        both("static field of a wrong class", "(Ljava/lang/Object;)V", m -> {
            m.visitVarInsn(ALOAD, 0);
            m.visitFieldInsn(PUTSTATIC, "sample/Attack", "text", "Ljava/lang/String;");
            m.visitInsn(RETURN);
        });
    }

    static void uninitialised() {
        both("use before the constructor", "()V", m -> {
            m.visitTypeInsn(NEW, "sample/Mixed");
            m.visitMethodInsn(INVOKEVIRTUAL, "sample/Mixed", "run", "()V", false);
            m.visitInsn(RETURN);
        });
        both("an uninitialised object returned", "()Ljava/lang/Object;", m -> {
            m.visitTypeInsn(NEW, "sample/Mixed");
            m.visitInsn(ARETURN);
        });
        both("an uninitialised object stored", "()V", m -> {
            m.visitTypeInsn(NEW, "sample/Mixed");
            m.visitFieldInsn(PUTSTATIC, "sample/Mixed", "shared", "Ljava/lang/Object;");
            m.visitInsn(RETURN);
        });
        both("a constructor of another class", "()V", m -> {
            m.visitTypeInsn(NEW, "sample/Mixed");
            m.visitMethodInsn(INVOKESPECIAL, "java/lang/Object", "<init>", "()V", false);
            m.visitInsn(RETURN);
        });
        both("constructed twice", "()V", m -> {
            m.visitTypeInsn(NEW, "java/lang/Object");
            m.visitInsn(DUP);
            m.visitMethodInsn(INVOKESPECIAL, "java/lang/Object", "<init>", "()V", false);
            m.visitMethodInsn(INVOKESPECIAL, "java/lang/Object", "<init>", "()V", false);
            m.visitInsn(RETURN);
        });
        both("two objects of one new confused in a loop", "()V", m -> {
            Label top = new Label();
            m.visitTypeInsn(NEW, "java/lang/Object");
            m.visitVarInsn(ASTORE, 0);
            m.visitLabel(top);
            frame(m, new Object[] {top});
            m.visitTypeInsn(NEW, "java/lang/Object");
            m.visitMethodInsn(INVOKESPECIAL, "java/lang/Object", "<init>", "()V", false);
            m.visitVarInsn(ALOAD, 0);
            m.visitMethodInsn(INVOKEVIRTUAL, "java/lang/Object", "hashCode", "()I", false);
            m.visitInsn(POP);
            m.visitJumpInsn(GOTO, top);
        }, m -> {
            Label top = new Label();
            m.visitInsn(ACONST_NULL);
            m.visitVarInsn(ASTORE, 0);
            m.visitLabel(top);
            m.visitVarInsn(ALOAD, 0);
            m.visitTypeInsn(NEW, "java/lang/Object");
            m.visitInsn(DUP);
            m.visitVarInsn(ASTORE, 0);
            m.visitInsn(POP2);
            m.visitJumpInsn(GOTO, top);
        });
        for (int version : new int[] {V17, V1_4}) {
            attack("constructor without super()", version, "sample/Attack", "java/lang/Object", "<init>", "()V",
                    m -> m.visitInsn(RETURN), c -> {});
            attack("constructor of the grandparent", version, "sample/Attack", "sample/other/Base", "<init>", "()V",
                    m -> {
                        m.visitVarInsn(ALOAD, 0);
                        m.visitMethodInsn(INVOKESPECIAL, "java/lang/Object", "<init>", "()V", false);
                        m.visitInsn(RETURN);
                    }, c -> {});
            attack("this leaks before super()", version, "sample/Attack", "java/lang/Object", "<init>", "()V",
                    m -> {
                        m.visitVarInsn(ALOAD, 0);
                        m.visitFieldInsn(PUTSTATIC, "sample/Mixed", "shared", "Ljava/lang/Object;");
                        m.visitVarInsn(ALOAD, 0);
                        m.visitMethodInsn(INVOKESPECIAL, "java/lang/Object", "<init>", "()V", false);
                        m.visitInsn(RETURN);
                    }, c -> {});
            attack("own field read before super()", version, "sample/Attack", "java/lang/Object", "<init>", "()V",
                    m -> {
                        m.visitVarInsn(ALOAD, 0);
                        m.visitFieldInsn(GETFIELD, "sample/Attack", "own", "I");
                        m.visitInsn(POP);
                        m.visitVarInsn(ALOAD, 0);
                        m.visitMethodInsn(INVOKESPECIAL, "java/lang/Object", "<init>", "()V", false);
                        m.visitInsn(RETURN);
                    }, c -> {});
            int v = version;
            attack("super() failure swallowed", version, "sample/Attack", "java/lang/Object", "<init>", "()V", m -> {
                Label start = new Label(), end = new Label(), handler = new Label();
                m.visitTryCatchBlock(start, end, handler, null);
                m.visitLabel(start);
                m.visitVarInsn(ALOAD, 0);
                m.visitMethodInsn(INVOKESPECIAL, "java/lang/Object", "<init>", "()V", false);
                m.visitLabel(end);
                m.visitInsn(RETURN);
                m.visitLabel(handler);
                if (v == V17) frame(m, new Object[] {UNINITIALIZED_THIS}, "java/lang/Throwable");
                m.visitInsn(POP);
                m.visitInsn(RETURN);
            }, c -> {});
            attack("protected member of a stranger", version, "sample/Attack", "sample/other/Base", "attack",
                    "(Lsample/other/Base;)I", m -> {
                        m.visitVarInsn(ALOAD, 0);
                        m.visitFieldInsn(GETFIELD, "sample/other/Base", "guarded", "I");
                        m.visitInsn(IRETURN);
                    }, c -> {});
            attack("protected method of a stranger", version, "sample/Attack", "sample/other/Base", "attack",
                    "(Lsample/other/Base;)I", m -> {
                        m.visitVarInsn(ALOAD, 0);
                        m.visitVarInsn(ALOAD, 0);
                        m.visitMethodInsn(INVOKEVIRTUAL, "sample/other/Base", "guard", "(Lsample/other/Base;)I", false);
                        m.visitInsn(IRETURN);
                    }, c -> {});
            attack("protected constructor of a stranger", version, "sample/Attack", "sample/other/Base", "attack",
                    "()V", m -> {
                        m.visitTypeInsn(NEW, "sample/other/Base");
                        m.visitMethodInsn(INVOKESPECIAL, "sample/other/Base", "<init>", "()V", false);
                        m.visitInsn(RETURN);
                    }, c -> {});
        }
    }

    static void merges() {
        both("merge of int and reference", "(ILjava/lang/Object;)V", m -> {
            Label other = new Label(), join = new Label();
            m.visitVarInsn(ILOAD, 0);
            m.visitJumpInsn(IFEQ, other);
            m.visitInsn(ICONST_1);
            m.visitVarInsn(ISTORE, 2);
            m.visitJumpInsn(GOTO, join);
            m.visitLabel(other);
            frame(m, new Object[] {INTEGER, "java/lang/Object"});
            m.visitVarInsn(ALOAD, 1);
            m.visitVarInsn(ASTORE, 2);
            m.visitLabel(join);
            frame(m, new Object[] {INTEGER, "java/lang/Object", "java/lang/Object"});
            m.visitVarInsn(ALOAD, 2);
            m.visitInsn(POP);
            m.visitInsn(RETURN);
        }, m -> {
            Label other = new Label(), join = new Label();
            m.visitVarInsn(ILOAD, 0);
            m.visitJumpInsn(IFEQ, other);
            m.visitInsn(ICONST_1);
            m.visitVarInsn(ISTORE, 2);
            m.visitJumpInsn(GOTO, join);
            m.visitLabel(other);
            m.visitVarInsn(ALOAD, 1);
            m.visitVarInsn(ASTORE, 2);
            m.visitLabel(join);
            m.visitVarInsn(ALOAD, 2);
            m.visitInsn(POP);
            m.visitInsn(RETURN);
        });
        both("merge of two classes used as one", "(ILjava/lang/String;Lsample/Mixed;)V", m -> {
            Label other = new Label(), join = new Label();
            Object[] entry = {INTEGER, "java/lang/String", "sample/Mixed"};
            m.visitVarInsn(ILOAD, 0);
            m.visitJumpInsn(IFEQ, other);
            m.visitVarInsn(ALOAD, 1);
            m.visitJumpInsn(GOTO, join);
            m.visitLabel(other);
            frame(m, entry);
            m.visitVarInsn(ALOAD, 2);
            m.visitLabel(join);
            frame(m, entry, "sample/Mixed");
            m.visitMethodInsn(INVOKEVIRTUAL, "sample/Mixed", "run", "()V", false);
            m.visitInsn(RETURN);
        }, m -> {
            Label other = new Label(), join = new Label();
            m.visitVarInsn(ILOAD, 0);
            m.visitJumpInsn(IFEQ, other);
            m.visitVarInsn(ALOAD, 1);
            m.visitJumpInsn(GOTO, join);
            m.visitLabel(other);
            m.visitVarInsn(ALOAD, 2);
            m.visitLabel(join);
            m.visitMethodInsn(INVOKEVIRTUAL, "sample/Mixed", "run", "()V", false);
            m.visitInsn(RETURN);
        });
        attack("stack map that lies about a local", V17, "(Ljava/lang/Object;I)V", m -> {
            Label join = new Label();
            m.visitVarInsn(ILOAD, 1);
            m.visitJumpInsn(IFEQ, join);
            m.visitLabel(join);
            frame(m, new Object[] {"sample/Mixed", INTEGER});
            m.visitVarInsn(ALOAD, 0);
            m.visitMethodInsn(INVOKEVIRTUAL, "sample/Mixed", "run", "()V", false);
            m.visitInsn(RETURN);
        });
        attack("stack map for dead code used by a branch", V17, "(Ljava/lang/Object;)V", m -> {
            Label join = new Label();
            m.visitJumpInsn(GOTO, join);
            m.visitLabel(join);
            frame(m, new Object[] {"java/lang/Object"}, "java/lang/String");
            m.visitInsn(POP);
            m.visitInsn(RETURN);
        });
        both("handler that trusts a local set in the try block", "(Ljava/lang/Object;)V", m -> {
            Label start = new Label(), end = new Label(), handler = new Label();
            m.visitTryCatchBlock(start, end, handler, null);
            m.visitLdcInsn("text");
            m.visitVarInsn(ASTORE, 1);
            m.visitLabel(start);
            m.visitMethodInsn(INVOKESTATIC, "java/lang/System", "gc", "()V", false);
            m.visitVarInsn(ALOAD, 0);
            m.visitVarInsn(ASTORE, 1);
            m.visitMethodInsn(INVOKESTATIC, "java/lang/System", "gc", "()V", false);
            m.visitLabel(end);
            m.visitInsn(RETURN);
            m.visitLabel(handler);
            frame(m, new Object[] {"java/lang/Object", "java/lang/String"}, "java/lang/Throwable");
            m.visitInsn(POP);
            m.visitVarInsn(ALOAD, 1);
            m.visitMethodInsn(INVOKEVIRTUAL, "java/lang/String", "length", "()I", false);
            m.visitInsn(POP);
            m.visitInsn(RETURN);
        }, m -> {
            Label start = new Label(), end = new Label(), handler = new Label();
            m.visitTryCatchBlock(start, end, handler, null);
            m.visitLdcInsn("text");
            m.visitVarInsn(ASTORE, 1);
            m.visitLabel(start);
            m.visitMethodInsn(INVOKESTATIC, "java/lang/System", "gc", "()V", false);
            m.visitVarInsn(ALOAD, 0);
            m.visitVarInsn(ASTORE, 1);
            m.visitMethodInsn(INVOKESTATIC, "java/lang/System", "gc", "()V", false);
            m.visitLabel(end);
            m.visitInsn(RETURN);
            m.visitLabel(handler);
            m.visitInsn(POP);
            m.visitVarInsn(ALOAD, 1);
            m.visitMethodInsn(INVOKEVIRTUAL, "java/lang/String", "length", "()I", false);
            m.visitInsn(POP);
            m.visitInsn(RETURN);
        });
        both("handler of a wrong class", "()V", m -> {
            Label start = new Label(), end = new Label(), handler = new Label();
            m.visitTryCatchBlock(start, end, handler, "java/lang/String");
            m.visitLabel(start);
            m.visitInsn(NOP);
            m.visitLabel(end);
            m.visitInsn(RETURN);
            m.visitLabel(handler);
            frame(m, NONE, "java/lang/String");
            m.visitInsn(POP);
            m.visitInsn(RETURN);
        }, m -> {
            Label start = new Label(), end = new Label(), handler = new Label();
            m.visitTryCatchBlock(start, end, handler, "java/lang/String");
            m.visitLabel(start);
            m.visitInsn(NOP);
            m.visitLabel(end);
            m.visitInsn(RETURN);
            m.visitLabel(handler);
            m.visitInsn(POP);
            m.visitInsn(RETURN);
        });
    }

    static void arrays() {
        both("bytes read as longs", "([B)J", m -> {
            m.visitVarInsn(ALOAD, 0);
            m.visitInsn(ICONST_0);
            m.visitInsn(LALOAD);
            m.visitInsn(LRETURN);
        });
        both("objects read as ints", "([Ljava/lang/Object;)I", m -> {
            m.visitVarInsn(ALOAD, 0);
            m.visitInsn(ICONST_0);
            m.visitInsn(IALOAD);
            m.visitInsn(IRETURN);
        });
        both("ints read as objects", "([I)Ljava/lang/Object;", m -> {
            m.visitVarInsn(ALOAD, 0);
            m.visitInsn(ICONST_0);
            m.visitInsn(AALOAD);
            m.visitInsn(ARETURN);
        });
        both("an int stored among objects", "([Ljava/lang/Object;I)V", m -> {
            m.visitVarInsn(ALOAD, 0);
            m.visitInsn(ICONST_0);
            m.visitVarInsn(ILOAD, 1);
            m.visitInsn(AASTORE);
            m.visitInsn(RETURN);
        });
        both("array of one class as an array of another", "([Ljava/lang/Object;)[Ljava/lang/String;", m -> {
            m.visitVarInsn(ALOAD, 0);
            m.visitInsn(ARETURN);
        });
        both("int array as an object array", "([I)[Ljava/lang/Object;", m -> {
            m.visitVarInsn(ALOAD, 0);
            m.visitInsn(ARETURN);
        });
        both("length of an object", "(Ljava/lang/Object;)I", m -> {
            m.visitVarInsn(ALOAD, 0);
            m.visitInsn(ARRAYLENGTH);
            m.visitInsn(IRETURN);
        });
        both("element of an object", "(Ljava/lang/Object;)I", m -> {
            m.visitVarInsn(ALOAD, 0);
            m.visitInsn(ICONST_0);
            m.visitInsn(BALOAD);
            m.visitInsn(IRETURN);
        });
        both("short array as a char array", "([S)[C", m -> {
            m.visitVarInsn(ALOAD, 0);
            m.visitInsn(ARETURN);
        });
        both("deeper array as a shallower one of ints", "([[I)[I", m -> {
            m.visitVarInsn(ALOAD, 0);
            m.visitInsn(ARETURN);
        });
    }

    static void words() {
        both("half a long", "(J)I", m -> {
            m.visitVarInsn(LLOAD, 0);
            m.visitInsn(POP);
            m.visitInsn(IRETURN);
        });
        both("a long of two ints", "(II)J", m -> {
            m.visitVarInsn(ILOAD, 0);
            m.visitVarInsn(ILOAD, 1);
            m.visitInsn(LRETURN);
        });
        both("a long whose half was overwritten", "(J)J", m -> {
            m.visitInsn(ICONST_0);
            m.visitVarInsn(ISTORE, 1);
            m.visitVarInsn(LLOAD, 0);
            m.visitInsn(LRETURN);
        });
        both("a local never set", "()Ljava/lang/Object;", m -> {
            m.visitVarInsn(ALOAD, 3);
            m.visitInsn(ARETURN);
        });
        both("a local out of reach", "()I", m -> {
            m.visitVarInsn(ILOAD, 200);
            m.visitInsn(IRETURN);
        });
        both("too deep", "()V", m -> {
            for (int i = 0; i < 9; i++) m.visitInsn(ICONST_0);
            m.visitInsn(RETURN);
        });
        both("popping nothing", "()V", m -> {
            m.visitInsn(POP);
            m.visitInsn(RETURN);
        });
        both("off the end", "()V", m -> m.visitInsn(NOP));
        both("a float as an int", "(F)I", m -> {
            m.visitVarInsn(FLOAD, 0);
            m.visitInsn(IRETURN);
        });
        both("a reference as an int", "(Ljava/lang/Object;)I", m -> {
            m.visitVarInsn(ALOAD, 0);
            m.visitInsn(ICONST_1);
            m.visitInsn(IADD);
            m.visitInsn(IRETURN);
        });
        both("a loop that grows the stack", "()V", m -> {
            Label top = new Label();
            m.visitLabel(top);
            frame(m, NONE);
            m.visitInsn(ICONST_0);
            m.visitJumpInsn(GOTO, top);
        }, m -> {
            Label top = new Label();
            m.visitLabel(top);
            m.visitInsn(ICONST_0);
            m.visitJumpInsn(GOTO, top);
        });
    }

    static void subroutines() {
        attack("a return address as an object", V1_4, "()Ljava/lang/Object;", m -> {
            Label sub = new Label();
            m.visitJumpInsn(JSR, sub);
            m.visitLabel(sub);
            m.visitInsn(ARETURN);
        });
        attack("a return address loaded", V1_4, "()V", m -> {
            Label sub = new Label();
            m.visitJumpInsn(JSR, sub);
            m.visitInsn(RETURN);
            m.visitLabel(sub);
            m.visitVarInsn(ASTORE, 1);
            m.visitVarInsn(ALOAD, 1);
            m.visitInsn(POP);
            m.visitVarInsn(RET, 1);
        });
        attack("ret to an object", V1_4, "(Ljava/lang/Object;)V", m -> m.visitVarInsn(RET, 0));
        attack("ret to an int", V1_4, "(I)V", m -> m.visitVarInsn(RET, 0));
        attack("a subroutine that calls itself", V1_4, "()V", m -> {
            Label sub = new Label();
            m.visitJumpInsn(JSR, sub);
            m.visitInsn(RETURN);
            m.visitLabel(sub);
            m.visitVarInsn(ASTORE, 1);
            m.visitJumpInsn(JSR, sub);
            m.visitVarInsn(RET, 1);
        });
        attack("a local changed by a subroutine", V1_4, "(Ljava/lang/String;Ljava/lang/Object;)V", m -> {
            Label sub = new Label();
            m.visitJumpInsn(JSR, sub);
            m.visitVarInsn(ALOAD, 0);
            m.visitMethodInsn(INVOKEVIRTUAL, "java/lang/String", "length", "()I", false);
            m.visitInsn(POP);
            m.visitInsn(RETURN);
            m.visitLabel(sub);
            m.visitVarInsn(ASTORE, 2);
            m.visitVarInsn(ALOAD, 1);
            m.visitVarInsn(ASTORE, 0);
            m.visitVarInsn(RET, 2);
        });
        attack("an uninitialised object through a subroutine", V1_4, "()V", m -> {
            Label sub = new Label();
            m.visitTypeInsn(NEW, "java/lang/Object");
            m.visitVarInsn(ASTORE, 0);
            m.visitJumpInsn(JSR, sub);
            m.visitInsn(RETURN);
            m.visitLabel(sub);
            m.visitVarInsn(ASTORE, 2);
            m.visitVarInsn(ALOAD, 0);
            m.visitMethodInsn(INVOKESPECIAL, "java/lang/Object", "<init>", "()V", false);
            m.visitVarInsn(RET, 2);
        });
        attack("jsr in a new class file", V17, "()V", m -> {
            Label sub = new Label();
            m.visitJumpInsn(JSR, sub);
            m.visitInsn(RETURN);
            m.visitLabel(sub);
            m.visitVarInsn(ASTORE, 1);
            m.visitVarInsn(RET, 1);
        });
    }

    /** Code as compilers wrote it when `finally` was a subroutine: nothing is wrong with it. */
    static byte[] old() {
        ClassWriter c = new ClassWriter(0);
        c.visit(V1_4, ACC_PUBLIC | ACC_SUPER, "sample/Old", null, "java/lang/Object", null);
        MethodVisitor m = c.visitMethod(ACC_STATIC, "tidy", "(Ljava/lang/String;I)I", null, null);
        Label start = new Label(), end = new Label(), handler = new Label(), sub = new Label(), done = new Label();
        m.visitTryCatchBlock(start, end, handler, null);
        m.visitCode();
        m.visitLabel(start);
        m.visitVarInsn(ALOAD, 0);
        m.visitMethodInsn(INVOKEVIRTUAL, "java/lang/String", "length", "()I", false);
        m.visitVarInsn(ISTORE, 2);
        m.visitJumpInsn(JSR, sub);
        m.visitVarInsn(ILOAD, 2);
        m.visitInsn(IRETURN);
        m.visitLabel(end);
        m.visitLabel(handler);
        m.visitVarInsn(ASTORE, 3);
        m.visitJumpInsn(JSR, sub);
        m.visitVarInsn(ALOAD, 3);
        m.visitInsn(ATHROW);
        m.visitLabel(sub);
        m.visitVarInsn(ASTORE, 4);
        m.visitVarInsn(ILOAD, 1);
        m.visitJumpInsn(IFEQ, done);
        m.visitIincInsn(1, -1);
        m.visitLdcInsn(2L);
        m.visitVarInsn(LSTORE, 5);
        m.visitLabel(done);
        m.visitVarInsn(RET, 4);
        m.visitMaxs(4, 7);
        m.visitEnd();
        m = c.visitMethod(ACC_STATIC, "nested", "(Ljava/util/List;)Ljava/lang/Object;", null, null);
        Label outer = new Label(), inner = new Label(), loop = new Label(), out = new Label();
        m.visitCode();
        m.visitInsn(ACONST_NULL);
        m.visitVarInsn(ASTORE, 1);
        m.visitLabel(loop);
        m.visitJumpInsn(JSR, outer);
        m.visitVarInsn(ALOAD, 1);
        m.visitJumpInsn(IFNULL, loop);
        m.visitInsn(FCONST_1);
        m.visitVarInsn(FSTORE, 4);
        m.visitJumpInsn(JSR, inner);
        m.visitVarInsn(FLOAD, 4);
        m.visitInsn(POP);
        m.visitVarInsn(ALOAD, 1);
        m.visitInsn(ARETURN);
        m.visitLabel(outer);
        m.visitVarInsn(ASTORE, 2);
        m.visitJumpInsn(JSR, inner);
        m.visitVarInsn(ALOAD, 0);
        m.visitInsn(ICONST_0);
        m.visitMethodInsn(INVOKEINTERFACE, "java/util/List", "get", "(I)Ljava/lang/Object;", true);
        m.visitVarInsn(ASTORE, 1);
        m.visitVarInsn(RET, 2);
        m.visitLabel(inner);
        m.visitVarInsn(ASTORE, 3);
        m.visitVarInsn(ALOAD, 0);
        m.visitMethodInsn(INVOKEINTERFACE, "java/util/List", "size", "()I", true);
        m.visitJumpInsn(IFGT, out);
        m.visitTypeInsn(NEW, "java/lang/IllegalStateException");
        m.visitInsn(DUP);
        m.visitMethodInsn(INVOKESPECIAL, "java/lang/IllegalStateException", "<init>", "()V", false);
        m.visitInsn(ATHROW);
        m.visitLabel(out);
        m.visitVarInsn(RET, 3);
        m.visitMaxs(4, 5);
        m.visitEnd();
        c.visitEnd();
        return c.toByteArray();
    }

    public static void main(String[] args) throws IOException {
        if (args.length == 1) {
            Files.write(Paths.get(args[0]), old());
            return;
        }
        receivers();
        uninitialised();
        merges();
        arrays();
        words();
        subroutines();
        try (DataOutputStream out = new DataOutputStream(Files.newOutputStream(Paths.get(args[0])))) {
            out.writeInt(CLASSES.size());
            for (byte[] c : CLASSES) {
                out.writeUTF("sample.Attack");
                out.writeInt(c.length);
                out.write(c);
            }
        }
        Files.write(Paths.get(args[1]), NAMES);
    }
}
