// The logging of the class library: levels, handlers, loggers that stay registered.
package config;

import static org.junit.Assert.assertEquals;

import java.util.logging.ConsoleHandler;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.BeforeClass;
import org.junit.Test;

public class LoggingTest {
    static final Logger LOGGER = Logger.getLogger("config.logging");
    static final Logger QUIET = Logger.getLogger("config.quiet");
    static final Handler HANDLER = new ConsoleHandler();

    @BeforeClass
    public static void load() {
        assertEquals("config.logging", LOGGER.getName());
        //~ FIXTURE any
    }

    @Test
    public void level() { //~ passed
        LOGGER.setLevel(Level.FINEST); //~ POLLUTES changed config.LoggingTest.LOGGER.config.levelObject; configuration
        //~^ POLLUTES changed config.LoggingTest.LOGGER.config.levelValue: 800 -> 300; configuration
    }

    @Test
    public void handler() { //~ passed
        QUIET.addHandler(HANDLER); //~ POLLUTES added config.LoggingTest.QUIET.config.handlers[0]; configuration
    }
}
