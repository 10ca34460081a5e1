// Smaller additions of 18 to 21.
import java.lang.reflect.*;
import java.net.URI;
import java.nio.charset.*;
import java.nio.file.*;
import java.time.*;
import java.util.*;
import java.util.concurrent.*;
import java.util.random.*;

public class Misc21 {
    interface Greeter {
        String greet(String name);
        default String twice(String name) {
            return greet(name) + greet(name);
        }
    }

    public static void main(String[] args) throws Throwable {
        System.out.println(Charset.defaultCharset() + " " + System.getProperty("file.encoding"));
        Greeter g = (Greeter) Proxy.newProxyInstance(Misc21.class.getClassLoader(), new Class<?>[] {Greeter.class},
            (proxy, method, a) -> method.isDefault() ? InvocationHandler.invokeDefault(proxy, method, a) : "hi " + a[0] + ";");
        System.out.println(g.twice("you"));
        System.out.println(HashMap.newHashMap(100).size() + " " + "abc".indexOf("c", 0, 2));
        System.out.println(Integer.compress(0b10110, 0b11010) + " " + Long.expand(5, 0b10101));
        System.out.println(Class.forName("java.util.ArrayList").accessFlags());
        System.out.println(Misc21.class.getDeclaredMethod("main", String[].class).accessFlags());
        StackWalker w = StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE);
        List<String> names = w.walk(s -> s.map(StackWalker.StackFrame::getMethodName).toList());
        System.out.println(names);
        System.out.println(caller(w));
        Thread.sleep(Duration.ofMillis(3));
        Thread p = Thread.ofPlatform().name("platform").daemon(true).priority(7).start(() -> { });
        System.out.println(p.join(Duration.ofSeconds(5)) + " " + p.getName() + p.getPriority() + p.isDaemon());
        Future<String> f = CompletableFuture.completedFuture("done");
        System.out.println(f.resultNow() + " " + f.state());
        try (ExecutorService e = Executors.newFixedThreadPool(2)) {
            System.out.println(e.submit(() -> 42).get());
        }
        System.out.println(Locale.of("de", "CH") + " " + Locale.of("tr").getDisplayLanguage(Locale.ENGLISH));
        System.out.println(URI.create("http://a/b?c").toURL() + " " + new StringBuilder().repeat("ab", 3));
        System.out.println(RandomGenerator.of("SplittableRandom").nextInt(0, 1) + " " + List.of(1, 2).reversed());
        try {
            Object o = List.of();
            String s = (String) o;
        } catch (ClassCastException e) {
            System.out.println("cast");
        }
        try {
            "abc".substring(2, 1);
        } catch (StringIndexOutOfBoundsException e) {
            System.out.println(e.getMessage());
        }
        System.out.println(String.format("%s %08.3f", 1.0E23, 2.0E-3) + " " + 2.0E-3f + " " + 1.1E-23);
        System.out.println(Objects.toIdentityString(args).startsWith("[Ljava.lang.String;@"));
        System.out.println(Character.toString(0x1F600).length() + " " + "x".equalsIgnoreCase("X") + " " + "ß".compareToIgnoreCase("ss"));
    }

    static Class<?> caller(StackWalker w) {
        return inner(w);
    }

    static Class<?> inner(StackWalker w) {
        return w.getCallerClass();
    }
}
