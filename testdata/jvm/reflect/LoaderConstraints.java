// Two loaders that define one name: what would let an object of one class pass for one of the other is a LinkageError.

import java.io.IOException;
import java.io.InputStream;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.Arrays;
import java.util.Set;
import java.util.function.Function;

public class LoaderConstraints {
    /** Defines some of the nested classes itself, takes everything else from its parent. */
    static class Own extends ClassLoader {
        final Set<String> own;

        Own(String name, ClassLoader parent, String... own) {
            super(name, parent);
            this.own = Set.of(own);
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            synchronized (getClassLoadingLock(name)) {
                String simple = name.substring(name.indexOf('$') + 1);
                if (!own.contains(simple)) {
                    return super.loadClass(name, resolve);
                }
                Class<?> known = findLoadedClass(name);
                return known != null ? known : define(name);
            }
        }

        Class<?> define(String name) throws ClassNotFoundException {
            try (InputStream in = LoaderConstraints.class.getResourceAsStream(name + ".class")) {
                byte[] bytes = in.readAllBytes();
                return defineClass(name, bytes, 0, bytes.length);
            } catch (IOException e) {
                throw new ClassNotFoundException(name, e);
            }
        }
    }

    /** The type in question: a number in the one loader's eyes is an array in the other's. */
    public static class Token {
        public long value = 7;
    }

    public static class Holder {
        public static Token token = new Token();
        public static Token[][] tokens = {{token}};
        public Token field = new Token();

        public static Token get() {
            return token;
        }

        public static void take(Token[] tokens) {
            System.out.println("took " + tokens.length);
        }

        public Token own() {
            return field;
        }

        public Holder() {}

        public Holder(Token token) {
            field = token;
        }
    }

    public interface Source {
        Token next();

        default int count(Token token) {
            return 1;
        }
    }

    public static class Sources implements Source {
        @Override
        public Token next() {
            return new Token();
        }
    }

    public abstract static class Base {
        abstract Object make();

        public void accept(Token token) {
            System.out.println("base took " + token.value);
        }
    }

    public static class Derived extends Base {
        @Override
        Object make() {
            return new Token();
        }

        @Override
        public void accept(Token token) {
            System.out.println("derived took " + token.value);
        }
    }

    public interface Maker {
        Token make();
    }

    // The attempts, each in a class of its own.

    public static class StaticField implements Runnable {
        public void run() {
            Token token = Holder.token;
            System.out.println("got " + token.value);
        }
    }

    public static class InstanceField implements Runnable {
        public void run() {
            System.out.println("got " + new Holder().field.value);
        }
    }

    public static class PutField implements Runnable {
        public void run() {
            new Holder().field = new Token();
            System.out.println("put");
        }
    }

    public static class ArrayField implements Runnable {
        public void run() {
            System.out.println("got " + Holder.tokens[0][0].value);
        }
    }

    public static class StaticMethod implements Runnable {
        public void run() {
            System.out.println("got " + Holder.get().value);
        }
    }

    public static class ArrayArgument implements Runnable {
        public void run() {
            Holder.take(new Token[2]);
        }
    }

    public static class VirtualMethod implements Runnable {
        public void run() {
            System.out.println("got " + new Holder().own().value);
        }
    }

    public static class Constructor implements Runnable {
        public void run() {
            System.out.println("got " + (new Holder(new Token()) != null));
        }
    }

    public static class InterfaceMethod implements Runnable {
        public void run() {
            Source source = new Sources();
            System.out.println("got " + source.next().value);
        }
    }

    public static class Implementation implements Runnable, Source {
        public Token next() {
            return new Token();
        }

        public void run() {
            System.out.println("implemented");
        }
    }

    public static class DefaultMethod implements Runnable, Source {
        public Token next() {
            return null;
        }

        public int count(Token token) {
            return 2;
        }

        public void run() {
            System.out.println("overrode");
        }
    }

    public static class Override1 implements Runnable {
        public void run() {
            Base base = new Derived();
            base.accept(null);
            System.out.println("overrode");
        }
    }

    public static class Lambda implements Runnable {
        public void run() {
            Maker maker = () -> new Token();
            System.out.println("got " + maker.make().value);
        }
    }

    public static class Reference implements Runnable {
        public void run() {
            Function<Holder, Token> own = Holder::own;
            System.out.println("got " + own.apply(new Holder()).value);
        }
    }

    public static class Handle implements Runnable {
        public void run() {
            try {
                var handle = MethodHandles.lookup()
                        .findStatic(Holder.class, "get", MethodType.methodType(Token.class));
                Token token = (Token) handle.invokeExact();
                System.out.println("got " + token.value);
            } catch (ReflectiveOperationException e) {
                throw new IllegalStateException(text(e), e.getCause());
            } catch (RuntimeException | Error e) {
                throw e;
            } catch (Throwable e) {
                System.out.println(e);
            }
        }
    }

    public static class FieldHandle implements Runnable {
        public void run() {
            try {
                var handle = MethodHandles.lookup().findStaticGetter(Holder.class, "token", Token.class);
                Token token = (Token) handle.invokeExact();
                System.out.println("got " + token.value);
            } catch (ReflectiveOperationException e) {
                throw new IllegalStateException(text(e), e.getCause());
            } catch (RuntimeException | Error e) {
                throw e;
            } catch (Throwable e) {
                System.out.println(e);
            }
        }
    }

    /** Uses what others define before its own loader has a class of that name: the loader is bound from then on. */
    public static class Later implements Runnable {
        public void run() {
            Holder.get();
            System.out.println("bound");
            try {
                System.out.println(new Token().value);
            } catch (LinkageError e) {
                System.out.println(text(e));
            }
            try {
                System.out.println(new Token().value);
            } catch (LinkageError e) {
                System.out.println(text(e));
            }
        }
    }

    public static String text(Throwable e) {
        return e.toString().replaceAll("@[0-9a-f]+", "@ID").replaceAll("0x[0-9a-f]+", "0xN")
                .replaceAll("\\$\\$Lambda\\$?[0-9]*", "\\$\\$Lambda");
    }

    static void attempt(String name, String... own) throws Exception {
        attempt(false, name, own);
        if (own.length > 0) {
            attempt(true, name, own);
        }
    }

    static void attempt(boolean first, String name, String... own) throws Exception {
        String[] all = Arrays.copyOf(own, own.length + 1);
        all[own.length] = name;
        ClassLoader loader = new Own("own", LoaderConstraints.class.getClassLoader(), all);
        System.out.println("-- " + name + " " + Arrays.toString(own) + (first ? ", loaded first" : ""));
        if (first) {
            Class.forName("LoaderConstraints$Token", true, loader);
        }
        for (int i = 0; i < 2; i++) {
            try {
                Class<?> type = Class.forName("LoaderConstraints$" + name, true, loader);
                ((Runnable) type.getConstructor().newInstance()).run();
            } catch (ReflectiveOperationException | Error | RuntimeException e) {
                for (Throwable t = e; t != null; t = t.getCause()) {
                    System.out.println(text(t));
                }
            }
        }
    }

    /** A loader that defines a class and answers another one of the same name. */
    static class Liar extends Own {
        Liar() {
            super("liar", LoaderConstraints.class.getClassLoader(), "StaticField");
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (name.endsWith("$Holder")) {
                define(name);
                return LoaderConstraints.class.getClassLoader().loadClass(name);
            }
            return super.loadClass(name, resolve);
        }
    }

    public static void main(String[] args) throws Exception {
        new Derived().accept(new Token());
        System.out.println(Holder.get().value + new Sources().next().value);
        String[] fields = {"StaticField", "InstanceField", "PutField", "ArrayField"};
        for (String name : fields) {
            attempt(name, "Token");
            attempt(name);
        }
        for (String name : new String[] {"StaticMethod", "ArrayArgument", "VirtualMethod", "Constructor"}) {
            attempt(name, "Token");
            attempt(name, "Token", "Holder");
        }
        attempt("InterfaceMethod", "Token");
        attempt("InterfaceMethod", "Token", "Sources");
        attempt("Implementation", "Token");
        attempt("Implementation");
        attempt("DefaultMethod", "Token");
        attempt("Override1", "Token", "Derived");
        attempt("Override1", "Derived");
        attempt("Lambda", "Token");
        attempt("Lambda");
        attempt("Reference", "Token");
        attempt("Handle", "Token", "LoaderConstraints");
        attempt("FieldHandle", "Token", "LoaderConstraints");
        attempt("Handle");
        attempt("FieldHandle");
        attempt("Later", "Token");
        System.out.println("-- a loader that answers another class than it defined");
        Class<?> type = new Liar().loadClass("LoaderConstraints$StaticField");
        try {
            ((Runnable) type.getConstructor().newInstance()).run();
        } catch (LinkageError e) {
            System.out.println(text(e));
        }
    }
}
