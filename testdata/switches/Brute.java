import java.io.File;
import java.lang.annotation.Annotation;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.ArrayList;
import java.util.List;
import org.junit.After;
import org.junit.AfterClass;
import org.junit.Before;
import org.junit.BeforeClass;

/** Runs sequences of tests, each from fresh classes: lines of `folder class test,test,…` come in, outcomes go out. */
public class Brute {
    public static void main(String[] args) throws Exception {
        List<String> lines = java.nio.file.Files.readAllLines(new File(args[0]).toPath());
        StringBuilder out = new StringBuilder();
        for (String line : lines) {
            String[] parts = line.split(" ");
            URL[] urls = {new File(parts[0]).toURI().toURL()};
            try (URLClassLoader loader = new URLClassLoader(urls, Brute.class.getClassLoader())) {
                Class<?> type = Class.forName(parts[1], true, loader);
                out.append(line).append(' ').append(run(type, parts[2].split(","))).append('\n');
            }
        }
        System.out.print(out);
    }

    static String run(Class<?> type, String[] tests) throws Exception {
        StringBuilder outcomes = new StringBuilder();
        all(type, null, BeforeClass.class);
        for (String test : tests) {
            Object instance = type.getConstructor().newInstance();
            boolean passed = all(type, instance, Before.class);
            passed = passed && call(type.getMethod(test), instance);
            passed &= all(type, instance, After.class);
            outcomes.append(passed ? 'P' : 'F');
        }
        all(type, null, AfterClass.class);
        return outcomes.toString();
    }

    static boolean all(Class<?> type, Object instance, Class<? extends Annotation> kind) throws Exception {
        boolean passed = true;
        List<Method> methods = new ArrayList<>(List.of(type.getMethods()));
        for (Method method : methods) {
            if (method.isAnnotationPresent(kind)) {
                passed &= call(method, instance);
            }
        }
        return passed;
    }

    static boolean call(Method method, Object instance) throws Exception {
        try {
            method.invoke(instance);
            return true;
        } catch (InvocationTargetException e) {
            return false;
        }
    }
}
