// Called as if it were the JDK's.
package jdk.internal.acme;

public class Named {
    public static final ThreadLocal<String> current = new ThreadLocal<>();
    public static int count;

    public static void enter(String name) {
        current.set(name); //~ POLLUTES origin.OriginTest#calledAsIfOfTheJdk added jdk.internal.acme.Named.current[thread "main"]: -> "me"; suite
    }
}
