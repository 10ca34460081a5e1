// Default locale and time zone, standard streams, handlers of uncaught exceptions.
package config;

import static org.junit.Assert.assertEquals;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.util.Locale;
import java.util.TimeZone;
import org.junit.BeforeClass;
import org.junit.Test;

public class DefaultsTest {
    static final PrintStream SINK = new PrintStream(new ByteArrayOutputStream());
    static TimeZone given;

    @BeforeClass
    public static void load() {
        given = TimeZone.getDefault();
        TimeZone.getTimeZone("Asia/Tokyo");
        Runtime.getRuntime().removeShutdownHook(new Thread());
        //~ FIXTURE any
    }

    @Test
    public void locale() { //~ passed
        Locale.setDefault(Locale.GERMANY);
        //~^ POLLUTES replaced java.util.Locale.defaultLocale: Locale(en_US) -> Locale(de_DE); configuration, jdk
        //~^^ POLLUTES replaced java.util.Locale.defaultFormatLocale; configuration, jdk
        //~^^^ POLLUTES replaced java.util.Locale.defaultDisplayLocale; configuration, jdk
    }

    @Test
    public void localePutBack() { //~ passed
        //~ CLEAN
        Locale before = Locale.getDefault();
        Locale.setDefault(Locale.FRANCE);
        Locale.setDefault(before);
    }

    @Test
    public void timeZonePutBack() { //~ passed
        //~ CLEAN
        TimeZone before = TimeZone.getDefault();
        TimeZone.setDefault(TimeZone.getTimeZone("Asia/Tokyo"));
        TimeZone.setDefault(before);
    }

    @Test
    public void timeZone() { //~ passed
        TimeZone.setDefault(TimeZone.getTimeZone("Asia/Tokyo")); //~ POLLUTES replaced java.util.TimeZone.defaultTimeZone: ZoneInfo("UTC") -> ZoneInfo("Asia/Tokyo"); configuration, jdk
    }

    @Test
    public void standardOutput() { //~ passed
        PrintStream before = System.out;
        System.setOut(SINK); //~ POLLUTES replaced java.lang.System.out; configuration, jdk
        assertEquals(false, before == System.out);
    }

    @Test
    public void uncaughtExceptions() { //~ passed
        Thread.setDefaultUncaughtExceptionHandler((thread, thrown) -> {});
        //~^ POLLUTES changed java.lang.Thread.defaultUncaughtExceptionHandler: null -> _; configuration, jdk
    }

    @Test
    public void shutdownHook() { //~ passed
        Runtime.getRuntime().addShutdownHook(new Thread("hook"));
        //~^ POLLUTES added java.lang.ApplicationShutdownHooks.hooks[Thread("hook")]; jdk
    }
}
