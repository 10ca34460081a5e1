package poldet.shim;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.TimeZone;

/** Runs the tests the driver outside asks for, through the suite's own JUnit. */
public final class Main {
    private Main() {
    }

    public static void main(String[] args) {
        settle();
        Map<String, Driver> drivers = new LinkedHashMap<String, Driver>();
        try {
            if (Events.sanitising()) {
                Providers.ask();
            }
            driver(drivers, Events.mode());
            for (String[] names = Events.next(); names != null; names = Events.next()) {
                driver(drivers, Events.mode()).run(names);
            }
            for (Driver driver : drivers.values()) {
                driver.end();
            }
        } catch (Throwable problem) {
            // JUnit's platform keeps no record of an OutOfMemoryError: it ends the run.
            Events.broken(Problems.stack(problem));
            System.exit(1);
        }
        Events.done();
        // Surefire ends its VM so, whatever threads the tests have left behind.
        System.exit(0);
    }

    private static Driver driver(Map<String, Driver> drivers, String mode) {
        Driver driver = drivers.get(mode);
        if (driver == null) {
            if (mode.equals("platform")) {
                driver = new Platform();
            } else if (mode.equals("engines")) {
                driver = new Engines();
            } else if (mode.equals("load")) {
                driver = new Load();
            } else if (mode.equals("junit4")) {
                driver = new JUnit4();
            } else {
                driver = new JUnit3();
            }
            drivers.put(mode, driver);
            driver.begin();
        }
        return driver;
    }

    /** Defaults that the JDK looks up when first asked for: a test that sets one of them and puts it back must find it set. */
    private static void settle() {
        Locale.getDefault(Locale.Category.DISPLAY);
        Locale.getDefault(Locale.Category.FORMAT);
        TimeZone.getDefault();
    }

    /** The suite's own loader; the context class loader is what the last test left there. */
    static ClassLoader loader() {
        return Main.class.getClassLoader();
    }

    /** The class, or null after its failure was reported. */
    static Class<?> load(String name) {
        try {
            return Class.forName(name, false, loader());
        } catch (Throwable problem) {
            Problems.ofClass(name, problem);
            return null;
        }
    }
}
